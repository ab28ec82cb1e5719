/**
 * What a running bridge shows over HTTP: a page, one document of its whole state, its health and
 * its metrics. Nothing here can block the bridge, which is only asked for its state.
 */
package io.duplog.status;
