/**
 * The bridge's configuration file, put together of the sections that the rooms own. {@link
 * io.duplog.bridge.settings.BridgeConfig} says what follows from several sections.
 */
package io.duplog.bridge.settings;
