/**
 * What a running bridge reports about itself: health, metrics, its sections of the state document,
 * and messages to systemd. The pages that show it are in {@code io.duplog.status}.
 */
package io.duplog.bridge.status;
