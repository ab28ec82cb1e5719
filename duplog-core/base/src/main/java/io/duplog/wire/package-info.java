/**
 * Encodes and decodes a batch: many messages in one AMQP body, sent by a shim and read by a bridge.
 *
 * <p>Body version 1, all integers big endian:
 *
 * <pre>
 * 'D' 'L'                  magic
 * u8   version             1
 * u8   flags               bit 0: every message begins with its sender's address and one space
 * u32  CRC-32C             of everything that follows
 * u32  count               messages
 * u32  total               bytes of all messages together
 * varint × count           length of each message, 7 bits a byte, low bits first
 * total bytes              the messages, one after another, as bytes and in order
 * </pre>
 *
 * The whole body may be compressed; the AMQP property content-encoding names the compression. A
 * decoder trusts no length in a body before it has checked it against {@link
 * io.duplog.wire.BatchLimits}.
 */
package io.duplog.wire;
