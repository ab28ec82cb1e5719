/** Writes the merged stream to a topic of Kafka. */
package io.duplog.deliver.kafka;
