/**
 * Receives deliveries from the streams' brokers and acknowledges them. Connecting to a broker is
 * left to {@link io.duplog.amqp}.
 *
 * <p>Each queue has a {@link io.duplog.receive.QueueConsumer} with a connection and a thread of its
 * own, so that a broker that is away stops no other stream.
 */
package io.duplog.receive;
