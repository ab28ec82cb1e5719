/**
 * Brings batches into the node's RabbitMQ, and says when they are there. To the rest of the shim it
 * is a {@link io.duplog.ingest.publish.Publisher} of {@link
 * io.duplog.ingest.publish.OutgoingBatch}es, which {@code Publishing} makes.
 */
@NullMarked
package io.duplog.ingest.publish;

import org.jspecify.annotations.NullMarked;
