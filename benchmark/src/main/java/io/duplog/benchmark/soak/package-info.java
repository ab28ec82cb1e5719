/**
 * Compares two builds under any scenario: runs the scenario with both builds alternately, and
 * reports whether their figures differ by more than chance explains.
 *
 * <p>{@code BuildComparison} has the statistics and starts no process. The classes that start
 * processes ({@code SoakRun}, {@code BuildFinder}) contain no statistics.
 */
package io.duplog.benchmark.soak;
