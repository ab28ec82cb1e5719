/**
 * Counts and conditions that an operator gets to see, and the back-off after failures.
 *
 * <p>The counts obey a law of conservation, for each stream and for all together, which is exact
 * while nothing moves:
 *
 * <pre>
 * received = the sum of all ends + in flight
 * </pre>
 *
 * <p>{@link io.duplog.observe.End} lists the ends.
 *
 * <p>{@code SimulationTest} checks the law over random histories with faults. Each test of a bridge
 * between servers checks it when everything is settled.
 */
package io.duplog.observe;
