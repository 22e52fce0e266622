/**
 * The agent's meters in the Micrometer that the application brings, which is another copy in another class loader. Depends on {@code
 * metrics}, {@code record}, {@code vm}, {@code log} and {@code thread}; calls the application's classes by reflection alone, on threads of
 * its own.
 */
package io.vtagent.bridge;
