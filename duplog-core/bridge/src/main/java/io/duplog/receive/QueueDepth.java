package io.duplog.receive;

/**
 * The state of a queue, as its broker reports it.
 *
 * @param ready number of deliveries that wait for a consumer, without those that a bridge holds
 * @param consumers number of consumers of the queue
 */
public record QueueDepth(int ready, int consumers) {}
