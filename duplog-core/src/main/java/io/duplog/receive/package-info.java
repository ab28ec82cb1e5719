/**
 * Takes deliveries from the streams' brokers and acknowledges them. How to connect to a broker is
 * {@link io.duplog.amqp}'s.
 *
 * <p>One {@link io.duplog.receive.QueueConsumer} a queue, each with a connection and a thread of
 * its own, so that a broker that is away stops nobody else's stream.
 */
@NullMarked
package io.duplog.receive;

import org.jspecify.annotations.NullMarked;
