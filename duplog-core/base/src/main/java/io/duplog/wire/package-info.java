/**
 * The format of a batch between shim and bridge: many messages in one AMQP body.
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
 * The whole body may be compressed, as the AMQP property content-encoding says. Nothing in a body
 * is trusted before its length has been checked against {@link io.duplog.wire.BatchLimits}.
 */
package io.duplog.wire;
