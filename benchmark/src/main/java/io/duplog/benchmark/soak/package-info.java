/**
 * Compares two builds under any scenario: starts the scenario with one and the other in turn, and
 * says whether their figures differ by more than chance makes them.
 *
 * <p>{@code BuildComparison} has the statistics and knows of no process; what starts processes
 * ({@code SoakRun}, {@code BuildFinder}) knows of no statistics.
 */
@NullMarked
package io.duplog.benchmark.soak;

import org.jspecify.annotations.NullMarked;
