/**
 * The bridge's configuration file, composed of the sections that the rooms own. {@link
 * io.duplog.bridge.settings.BridgeConfig} has the rules that involve several sections.
 */
package io.duplog.bridge.settings;
