/** The shim: what rsyslog's omprog starts on an ingest node. Wires the two stations below. */
@NullMarked
package io.duplog.ingest;

import org.jspecify.annotations.NullMarked;
