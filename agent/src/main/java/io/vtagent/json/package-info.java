/** How JSON is written and read. Depends on Gson alone. */
package io.vtagent.json;
