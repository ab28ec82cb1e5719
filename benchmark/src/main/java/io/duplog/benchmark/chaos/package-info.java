/**
 * The command {@code chaos}. It causes one fault after the other under load, and compares the sent
 * messages with the delivered ones.
 */
package io.duplog.benchmark.chaos;
