/** Counts what was sent and what was delivered, message by message, and compares. */
@NullMarked
package io.duplog.benchmark.measure;

import org.jspecify.annotations.NullMarked;
