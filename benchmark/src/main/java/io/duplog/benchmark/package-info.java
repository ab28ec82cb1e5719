/** The program {@code duplog-benchmark.jar}. It has a command for each scenario. */
package io.duplog.benchmark;
