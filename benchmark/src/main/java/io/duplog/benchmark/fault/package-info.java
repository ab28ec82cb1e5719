/** Faults: the steps that each fault takes in a lab, and the limits of its harm. */
package io.duplog.benchmark.fault;
