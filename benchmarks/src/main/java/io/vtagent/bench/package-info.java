/** What the agent costs. Depends on JMH; knows the agent as a user has it, by its jar. */
package io.vtagent.bench;
