/**
 * A whole Duplog of real servers, as a {@link io.duplog.benchmark.lab.LabPlan} has it: the one
 * place that knows which servers make one, how they are configured, and in which order they start.
 * How a server is started and stopped is {@link io.duplog.rig}'s.
 */
@NullMarked
package io.duplog.benchmark.lab;

import org.jspecify.annotations.NullMarked;
