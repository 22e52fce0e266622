/**
 * The case {@code relief}: what the agent makes of held carriers when it may add some; two of its
 * workloads are other cases, which it is given. It depends on the JDK and on what the cases share.
 */
package io.vtagent.demo.relief;
