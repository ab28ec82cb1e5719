/** Counts sent and delivered messages one by one, and compares them. */
package io.duplog.benchmark.measure;
