package io.duplog.wire;

/**
 * The AMQP body of a batch that is ready to be published, and its number of messages.
 *
 * @param body the AMQP body; the caller may keep and change it
 * @param encoding how the body is compressed
 * @param count number of messages
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EncodedBatch(byte[] body, ContentEncoding encoding, int count) {}
