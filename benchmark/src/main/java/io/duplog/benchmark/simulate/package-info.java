/**
 * Runs the simulation of whole bridges with as many seeds as one likes; the tests run it with a
 * few.
 */
@NullMarked
package io.duplog.benchmark.simulate;

import org.jspecify.annotations.NullMarked;
