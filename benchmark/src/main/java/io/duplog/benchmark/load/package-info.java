/** Syslog that looks real, sent to several receivers as a redundant sender sends it. */
@NullMarked
package io.duplog.benchmark.load;

import org.jspecify.annotations.NullMarked;
