/** The program {@code duplog-benchmark.jar}, which has a command for each scenario. */
@NullMarked
package io.duplog.benchmark;

import org.jspecify.annotations.NullMarked;
