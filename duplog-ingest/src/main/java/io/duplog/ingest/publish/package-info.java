/**
 * Publishes batches to the node's RabbitMQ, and reports when they are confirmed. The rest of the
 * shim uses a {@link io.duplog.ingest.publish.Publisher} of {@link
 * io.duplog.ingest.publish.OutgoingBatch}es, which {@code Publishing} creates.
 */
package io.duplog.ingest.publish;
