/**
 * The report: what was measured and what to do about it, as text, JSON and collapsed stacks.
 * Depends on {@code pin}, {@code ledger}, {@code usage}, {@code site}, {@code diagnosis} and {@code
 * json}.
 */
package io.vtagent.report;
