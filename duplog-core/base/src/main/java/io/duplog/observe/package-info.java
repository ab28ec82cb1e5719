/**
 * Counts, conditions, log events and metrics for operators, and the back-off after failures.
 *
 * <p>The counts obey a law of conservation, for each stream and for all streams together. The law
 * is exact while no copy is received or ends:
 *
 * <pre>
 * received = the sum of all ends + in flight
 * </pre>
 *
 * <p>{@link io.duplog.observe.End} lists the ends.
 *
 * <p>{@code SimulationTest} checks the law over random histories with faults. Each test of a bridge
 * with real servers checks it when all batches are settled.
 */
package io.duplog.observe;
