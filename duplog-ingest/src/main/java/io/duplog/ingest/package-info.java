/**
 * Runs the shim on an ingest node: parses the command line, and connects {@code omprog} or {@code
 * bulk} to {@code publish}.
 */
package io.duplog.ingest;
