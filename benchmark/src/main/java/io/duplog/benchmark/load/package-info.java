/**
 * Generates the load for tests and benchmarks: realistic syslog that is sent to several receivers,
 * as a redundant sender does.
 */
package io.duplog.benchmark.load;
