/** a web application with a known number of pins. */
package io.vtagent.compatibility.war;
