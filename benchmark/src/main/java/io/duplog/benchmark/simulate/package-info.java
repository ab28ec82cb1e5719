/**
 * Runs the simulation of whole bridges with as many seeds as one likes; the tests run it with a
 * few.
 */
package io.duplog.benchmark.simulate;
