package io.duplog.benchmark.hec;

/**
 * What a stand-in has done so far.
 *
 * @param requests with events, whatever became of them
 * @param events that were indexed
 * @param bytes of the bodies, without compression
 */
public record HecCounts(long requests, long events, long bytes) {}
