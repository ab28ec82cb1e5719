/**
 * The command {@code demo}: a whole Duplog on one machine, with a proof that no message is lost.
 */
@NullMarked
package io.duplog.benchmark.demo;

import org.jspecify.annotations.NullMarked;
