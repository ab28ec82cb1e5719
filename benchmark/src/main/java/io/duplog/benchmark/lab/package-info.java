/**
 * Real servers on private ports inside one directory: the one place that starts and stops them, and
 * the one that knows which of them make a Duplog.
 */
@NullMarked
package io.duplog.benchmark.lab;

import org.jspecify.annotations.NullMarked;
