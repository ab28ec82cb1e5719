/**
 * Brings batches into the node's RabbitMQ, and reports when they are confirmed. The rest of the
 * shim sees it as a {@link io.duplog.ingest.publish.Publisher} of {@link
 * io.duplog.ingest.publish.OutgoingBatch}es; {@code Publishing} makes one.
 */
package io.duplog.ingest.publish;
