/** Faults: the steps that each fault takes in a lab, and the limits of the harm it may do. */
package io.duplog.benchmark.fault;
