/**
 * Times the parts of the programs one by one, with JMH, and counts what they allocate: where the
 * scenarios show that something became slower, this shows which part. It sees the programs' code,
 * as it must.
 */
@NullMarked
package io.duplog.benchmark.part;

import org.jspecify.annotations.NullMarked;
