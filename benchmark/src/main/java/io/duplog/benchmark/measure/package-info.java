/** Counts sent and delivered messages one by one, and compares them. */
@NullMarked
package io.duplog.benchmark.measure;

import org.jspecify.annotations.NullMarked;
