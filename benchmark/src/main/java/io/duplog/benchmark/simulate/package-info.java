/** Runs the simulation of whole bridges with any number of seeds. The tests run it with a few. */
package io.duplog.benchmark.simulate;
