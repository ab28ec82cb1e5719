/**
 * Sends the merged stream to Splunk's HTTP Event Collector.
 *
 * <p>{@link io.duplog.deliver.hec.HecSink} is the sink. It has one {@code SendQueue} of messages,
 * from which the {@code HecSender}s of every URL fill requests. {@code Endpoint} tracks whether its
 * URL is healthy. {@code ResponseHandler} and {@code PoisonIsolation} do what an answer asks for.
 */
@NullMarked
package io.duplog.deliver.hec;

import org.jspecify.annotations.NullMarked;
