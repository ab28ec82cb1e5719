/**
 * Runs a complete Duplog of real servers, as described by a {@link
 * io.duplog.benchmark.lab.LabPlan}. Only this package knows which servers it needs, how they are
 * configured, and in which order they start. {@link io.duplog.rig} starts and stops single servers.
 */
package io.duplog.benchmark.lab;
