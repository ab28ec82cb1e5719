/**
 * The shim, which rsyslog's omprog starts on an ingest node. This package wires {@code omprog} to
 * {@code publish}.
 */
package io.duplog.ingest;
