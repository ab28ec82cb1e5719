/** Runs an experiment: starts a load, waits until its last message has arrived, and compares. */
package io.duplog.benchmark.experiment;
