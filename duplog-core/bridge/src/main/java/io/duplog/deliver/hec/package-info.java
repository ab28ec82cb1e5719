/**
 * Sends the merged stream to Splunk's HTTP Event Collector.
 *
 * <p>{@link io.duplog.deliver.hec.HecSink} is the sink. The {@code HecSender}s of every URL fill
 * requests from its one {@code SendQueue} of messages. {@code Endpoint} tracks whether its URL is
 * healthy. {@code ResponseHandler} and {@code PoisonIsolation} handle requests that Splunk did not
 * accept.
 */
package io.duplog.deliver.hec;
