/**
 * The bridge's configuration. {@link io.duplog.bridge.settings.BridgeFactory} makes the settings of
 * other packages out of it.
 */
package io.duplog.bridge.settings;
