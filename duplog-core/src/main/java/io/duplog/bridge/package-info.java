/** Wires the stations together and gives them a command line. */
@NullMarked
package io.duplog.bridge;

import org.jspecify.annotations.NullMarked;
