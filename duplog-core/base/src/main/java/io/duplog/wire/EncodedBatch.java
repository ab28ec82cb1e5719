package io.duplog.wire;

/**
 * A batch that is ready to be published.
 *
 * @param body the AMQP body; belongs to the receiver of this object
 * @param encoding how the body is compressed
 * @param count number of messages
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record EncodedBatch(byte[] body, ContentEncoding encoding, int count) {}
