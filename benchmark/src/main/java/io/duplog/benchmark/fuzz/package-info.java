/**
 * Feeds random input to the readers of untrusted bytes, and checks that they keep their contracts.
 */
package io.duplog.benchmark.fuzz;
