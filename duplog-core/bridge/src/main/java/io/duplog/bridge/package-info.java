/** Wires the other packages together: {@link io.duplog.bridge.Bridge} makes a bridge of them. */
package io.duplog.bridge;
