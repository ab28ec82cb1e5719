/**
 * Sends the merged stream to Splunk's HTTP Event Collector.
 *
 * <p>{@link io.duplog.deliver.hec.HecSink} is the whole: one {@code SendQueue} of messages, from
 * which the {@code HecSender}s of every URL fill requests. {@code Endpoint} knows which URL is
 * well, {@code Answer} what Splunk said, {@code ResponseHandler} what that means for the messages.
 */
@NullMarked
package io.duplog.deliver.hec;

import org.jspecify.annotations.NullMarked;
