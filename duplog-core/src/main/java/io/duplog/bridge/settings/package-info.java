/**
 * The bridge's configuration, and what its sections mean to the packages that it configures: {@link
 * io.duplog.bridge.settings.Settings} makes their settings out of it.
 */
@NullMarked
package io.duplog.bridge.settings;

import org.jspecify.annotations.NullMarked;
