/** Writes messages as lines, for the sinks that write to a file or to standard output. */
@NullMarked
package io.duplog.deliver.line;

import org.jspecify.annotations.NullMarked;
