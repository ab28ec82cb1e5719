/** Runs the simulation of whole bridges, which the tests run a part of. */
@NullMarked
package io.duplog.benchmark.simulate;

import org.jspecify.annotations.NullMarked;
