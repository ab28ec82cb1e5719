/**
 * Measures the parts of the programs one by one, with JMH, and counts their allocations. If the
 * scenarios show that something became slower, these benchmarks show which part. This package may
 * use the programs' classes, unlike most packages of the benchmark.
 */
package io.duplog.benchmark.part;
