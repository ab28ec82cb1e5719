/** Decides for each copy whether it is kept or dropped. */
@NullMarked
package io.duplog.dedup;

import org.jspecify.annotations.NullMarked;
