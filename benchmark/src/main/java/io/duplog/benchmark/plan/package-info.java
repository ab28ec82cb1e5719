/**
 * Plans an installation before it is bought: processor time, memory, disk, duplicates and losses of
 * a demand ({@code Demand}), from the measured costs.
 *
 * <p>{@code Costs} is the table of measured costs. {@code Layout} counts hosts. {@code
 * EqualMessages} has the formulas of duplicates and losses. {@code Validation} compares predictions
 * with runs that are not in the table.
 */
package io.duplog.benchmark.plan;
