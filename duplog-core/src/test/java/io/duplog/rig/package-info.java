/**
 * Starts servers as processes of this machine, with private ports, in one folder: the one place
 * that knows how they are started, when they serve, and how all of them end.
 */
@NullMarked
package io.duplog.rig;

import org.jspecify.annotations.NullMarked;
