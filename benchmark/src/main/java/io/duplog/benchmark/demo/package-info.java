/**
 * The command {@code demo}: a complete Duplog on one machine, with a proof that no message is lost.
 */
package io.duplog.benchmark.demo;
