/**
 * What a running bridge tells of itself: health, metrics, the sections of its state document, and
 * systemd. The pages that show it are in {@code io.duplog.status}.
 */
@NullMarked
package io.duplog.bridge.status;

import org.jspecify.annotations.NullMarked;
