/**
 * The bridge's configuration. {@link io.duplog.bridge.settings.BridgeFactory} makes the settings of
 * other packages out of it.
 */
@NullMarked
package io.duplog.bridge.settings;

import org.jspecify.annotations.NullMarked;
