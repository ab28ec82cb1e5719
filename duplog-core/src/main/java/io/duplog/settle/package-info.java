/** Acknowledges a batch once nothing can be lost by it. */
@NullMarked
package io.duplog.settle;

import org.jspecify.annotations.NullMarked;
