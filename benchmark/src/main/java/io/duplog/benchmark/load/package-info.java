/**
 * Load for tests and benchmarks: syslog that looks real, sent to several receivers as a redundant
 * sender does.
 */
@NullMarked
package io.duplog.benchmark.load;

import org.jspecify.annotations.NullMarked;
