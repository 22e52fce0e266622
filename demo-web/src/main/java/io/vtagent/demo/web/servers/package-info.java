/**
 * The servers of the demo's case {@code web}; they depend on {@code io.vtagent.demo.web.WebServer},
 * and on Tomcat, Spring WebFlux and Netty, which nothing else does.
 */
package io.vtagent.demo.web.servers;
