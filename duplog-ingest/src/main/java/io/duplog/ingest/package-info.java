/**
 * The shim, which rsyslog's omprog starts on an ingest node. This package wires {@code omprog} to
 * {@code publish}.
 */
@NullMarked
package io.duplog.ingest;

import org.jspecify.annotations.NullMarked;
