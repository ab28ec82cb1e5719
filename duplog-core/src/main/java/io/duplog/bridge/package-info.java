/** Wires the other packages together: {@link io.duplog.bridge.Bridge} makes a bridge of them. */
@NullMarked
package io.duplog.bridge;

import org.jspecify.annotations.NullMarked;
