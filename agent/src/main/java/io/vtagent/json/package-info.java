/** How JSON is written. Depends on Gson alone. */
package io.vtagent.json;
