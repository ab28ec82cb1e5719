package io.duplog.receive;

/**
 * What a broker says of a queue.
 *
 * @param ready deliveries that wait for a consumer; those that a bridge holds are not among them
 * @param consumers how many read it
 */
public record QueueDepth(int ready, int consumers) {}
