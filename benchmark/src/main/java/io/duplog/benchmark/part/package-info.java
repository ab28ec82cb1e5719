/**
 * Times the parts of the programs one by one, with JMH, and counts what they allocate. If the
 * scenarios show that something became slower, these benchmarks show which part. They may use the
 * programs' classes, which most packages of the benchmark may not.
 */
package io.duplog.benchmark.part;
