/** Reads and writes JSON. Depends on Gson alone. */
package io.vtagent.json;
