/** The faults: what each of them does to a lab, and what it may cost. */
@NullMarked
package io.duplog.benchmark.fault;

import org.jspecify.annotations.NullMarked;
