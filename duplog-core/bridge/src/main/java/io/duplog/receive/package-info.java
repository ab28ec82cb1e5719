/**
 * Receives deliveries from the streams' brokers and acknowledges them. {@link io.duplog.amqp}
 * connects to the brokers.
 *
 * <p>Each queue has its own {@link io.duplog.receive.QueueConsumer} with a connection and a thread,
 * so that an unavailable broker stops no other stream.
 */
package io.duplog.receive;
