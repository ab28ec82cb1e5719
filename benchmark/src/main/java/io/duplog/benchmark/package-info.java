/** The program {@code duplog-benchmark.jar}, with a command for each scenario. */
package io.duplog.benchmark;
