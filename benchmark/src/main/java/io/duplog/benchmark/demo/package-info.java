/** The command {@code demo}: the whole journey on one machine, with proof. */
@NullMarked
package io.duplog.benchmark.demo;

import org.jspecify.annotations.NullMarked;
