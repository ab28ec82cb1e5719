/** The program {@code duplog-benchmark.jar}: one command a scenario. */
@NullMarked
package io.duplog.benchmark;

import org.jspecify.annotations.NullMarked;
