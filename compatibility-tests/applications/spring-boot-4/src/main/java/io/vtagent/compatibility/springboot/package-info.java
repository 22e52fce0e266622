/** Spring Boot 4 with a known number of pins. */
package io.vtagent.compatibility.springboot;
