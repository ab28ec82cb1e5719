/**
 * Runs the bridge's HEC sink in this process, without brokers. No other package of the benchmark
 * uses the sink.
 */
package io.duplog.benchmark.drive;
