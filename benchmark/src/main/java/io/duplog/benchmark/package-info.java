/** The program {@code duplog-benchmark.jar}, which has a command for each scenario. */
package io.duplog.benchmark;
