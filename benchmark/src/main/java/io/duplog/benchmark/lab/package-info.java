/**
 * A whole Duplog of real servers, as described by a {@link io.duplog.benchmark.lab.LabPlan}. Only
 * this package knows which servers that needs, how they are configured, and in which order they
 * start. {@link io.duplog.rig} starts and stops the single server.
 */
package io.duplog.benchmark.lab;
