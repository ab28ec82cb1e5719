/**
 * What an operator gets to see: counts, and conditions that begin and end; and how long to leave
 * alone what fails.
 *
 * <p>The counts obey a law of conservation, of each stream and of all together, exactly while
 * nothing moves:
 *
 * <pre>
 * received = kept + bypassed + released + observed   (delivered)
 *          + dropped                        (another stream's copy was delivered)
 *          + repeated                       (its batch came again after it had been delivered)
 *          + refused                        (by the sink, for good: in a dead-letter queue)
 *          + dead-lettered                  (a body that can't be used, which counts as one)
 *          + given back                     (its channel was lost: it is received again)
 *          + in flight
 * </pre>
 *
 * <p>{@code SimulationTest} holds it over random histories with faults, each test of a bridge
 * between servers when all is settled.
 */
@NullMarked
package io.duplog.observe;

import org.jspecify.annotations.NullMarked;
