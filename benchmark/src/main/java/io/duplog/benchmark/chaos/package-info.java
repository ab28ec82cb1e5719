/** The command {@code chaos}: one fault after the other under load, and the proof of each. */
@NullMarked
package io.duplog.benchmark.chaos;

import org.jspecify.annotations.NullMarked;
