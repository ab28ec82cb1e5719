/**
 * Drives the bridge's HEC sink in this process, without brokers. No other package of the benchmark
 * sees the sink.
 */
@NullMarked
package io.duplog.benchmark.drive;

import org.jspecify.annotations.NullMarked;
