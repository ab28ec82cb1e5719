/**
 * Feeds random input to the readers of untrusted bytes, and checks that they keep their contracts.
 */
@NullMarked
package io.duplog.benchmark.fuzz;

import org.jspecify.annotations.NullMarked;
