/**
 * The command {@code chaos}, which causes one fault after the other under load, and compares the
 * messages that were sent with those that were delivered.
 */
package io.duplog.benchmark.chaos;
