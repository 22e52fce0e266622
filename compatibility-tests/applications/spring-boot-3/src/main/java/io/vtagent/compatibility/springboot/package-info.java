/** Spring Boot 3 with a known number of pins. */
package io.vtagent.compatibility.springboot;
