/** Writes messages to a file, standard output or a connection, for the sinks that get no answer. */
package io.duplog.deliver.line;
