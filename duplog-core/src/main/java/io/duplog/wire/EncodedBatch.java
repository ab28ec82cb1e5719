package io.duplog.wire;

/**
 * A batch ready to be published.
 *
 * @param body the AMQP body; owned by the receiver from here on
 * @param encoding how the body is compressed
 * @param count messages in it
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record EncodedBatch(byte[] body, ContentEncoding encoding, int count) {}
