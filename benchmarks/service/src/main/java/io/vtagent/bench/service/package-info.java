/** The service that is measured as a whole. It knows nothing of the agent. */
package io.vtagent.bench.service;
