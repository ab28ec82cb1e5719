/** Faults: the steps that each fault takes in a lab, and the limits of the harm it may do. */
@NullMarked
package io.duplog.benchmark.fault;

import org.jspecify.annotations.NullMarked;
