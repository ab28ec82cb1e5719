/**
 * What an operator installs, installed: Debian's own tools on a host where systemd runs, in a
 * container.
 */
@NullMarked
package io.duplog.benchmark.deploy;

import org.jspecify.annotations.NullMarked;
