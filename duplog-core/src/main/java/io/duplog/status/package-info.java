/**
 * What a running bridge shows to who asks: a page, one document of its whole state, its health, and
 * its metrics, over HTTP. Nothing here can hold up the bridge, which is only ever asked.
 */
@NullMarked
package io.duplog.status;

import org.jspecify.annotations.NullMarked;
