/** What can go wrong: each fault with what is done to a lab, and what it may cost. */
@NullMarked
package io.duplog.benchmark.fault;

import org.jspecify.annotations.NullMarked;
