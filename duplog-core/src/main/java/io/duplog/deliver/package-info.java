/** Delivers kept messages to the sink. One sub-package a kind of sink. */
@NullMarked
package io.duplog.deliver;

import org.jspecify.annotations.NullMarked;
