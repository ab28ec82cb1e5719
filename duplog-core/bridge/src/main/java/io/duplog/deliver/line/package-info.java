/** Writes messages as lines, for the sinks that write to a file or to standard output. */
package io.duplog.deliver.line;
