/**
 * Load for tests and benchmarks: syslog that looks real, sent to several receivers as a redundant
 * sender does.
 */
package io.duplog.benchmark.load;
