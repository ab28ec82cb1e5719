/** Drives the bridge's HEC sink in this process, without brokers: the only package that sees it. */
@NullMarked
package io.duplog.benchmark.drive;

import org.jspecify.annotations.NullMarked;
