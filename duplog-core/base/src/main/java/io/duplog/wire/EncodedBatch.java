package io.duplog.wire;

/**
 * A batch that is ready to be published.
 *
 * @param body the AMQP body; the caller may keep and change it
 * @param encoding how the body is compressed
 * @param count number of messages
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EncodedBatch(byte[] body, ContentEncoding encoding, int count) {}
