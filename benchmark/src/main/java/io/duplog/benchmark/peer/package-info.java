/** Runs alternatives to Duplog that a user might choose, as real servers under the same load. */
package io.duplog.benchmark.peer;
