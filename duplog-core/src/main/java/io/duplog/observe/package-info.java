/**
 * What an operator gets to see: counts, and conditions that begin and end; and how long to leave
 * alone what fails.
 *
 * <p>The counts obey a law of conservation, of each stream and of all together, exactly while
 * nothing moves:
 *
 * <pre>
 * received = the sum of all ends + in flight
 * </pre>
 *
 * <p>{@link io.duplog.observe.End} lists the ends.
 *
 * <p>{@code SimulationTest} holds it over random histories with faults, each test of a bridge
 * between servers when all is settled.
 */
@NullMarked
package io.duplog.observe;

import org.jspecify.annotations.NullMarked;
