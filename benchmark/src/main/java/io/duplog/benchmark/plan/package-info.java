/**
 * Plans an installation before it is bought: processor time, memory, disk, duplicates and losses of
 * a demand ({@code Demand}), from what the benchmark measured.
 *
 * <p>{@code Learning} makes costs of recorded runs, {@code Costs} holds them, {@code Sizing} counts
 * hosts, {@code Losses} has the formulas, {@code Simulation} the deduplication rule itself, {@code
 * Validation} compares with runs that nothing was learned from.
 */
@NullMarked
package io.duplog.benchmark.plan;

import org.jspecify.annotations.NullMarked;
