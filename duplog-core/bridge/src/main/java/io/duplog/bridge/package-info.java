/** Wires the other packages together. Start at {@link io.duplog.bridge.Bridge}. */
package io.duplog.bridge;
