/**
 * Setups of other programs that a user might run instead of Duplog, as real servers under the same
 * load.
 */
package io.duplog.benchmark.peer;
