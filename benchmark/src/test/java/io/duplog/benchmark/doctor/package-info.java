/** The doctor beside what it looks at: the shim's own settings, and a whole installation. */
@NullMarked
package io.duplog.benchmark.doctor;

import org.jspecify.annotations.NullMarked;
