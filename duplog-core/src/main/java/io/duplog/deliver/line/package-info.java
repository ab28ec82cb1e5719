/** Writes messages as lines, one after another, for the sinks that do so. */
@NullMarked
package io.duplog.deliver.line;

import org.jspecify.annotations.NullMarked;
