package io.duplog.benchmark.plan;

/**
 * What one message is to the processes that it comes through.
 *
 * @param bytes as the sender wrote it
 * @param copies that arrive of it on all streams together
 * @param unmatched those among them for which another stream never brings one
 */
record Traffic(double bytes, double copies, double unmatched) {}
