/**
 * Brings batches into the node's RabbitMQ, and says when they are there. {@link
 * io.duplog.ingest.publish.Publisher} is all that the rest of the shim knows of it; {@code
 * AmqpBroker} is the only class that imports the AMQP client.
 */
@NullMarked
package io.duplog.ingest.publish;

import org.jspecify.annotations.NullMarked;
