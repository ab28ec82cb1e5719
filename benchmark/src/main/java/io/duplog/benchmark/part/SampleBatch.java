package io.duplog.benchmark.part;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.base.Splitter;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes a batch of messages such as hosts send: a header of RFC 5424, then words. All messages
 * differ, and they are the same in each process. Each begins with its sender's address, as the shim
 * gets it.
 */
public final class SampleBatch {
  /**
   * Number of messages in a batch, about as many as a busy rsyslog passes on in one transaction.
   */
  static final int MESSAGES = 500;

  private static final long SEED = 5424;
  private static final List<String> WORDS =
      Splitter.on(' ')
          .splitToList(
              "accepted connection from user session opened closed port denied by policy GET"
                  + " /index.html 200 bytes in ms kernel link up");

  private SampleBatch() {}

  /**
   * @param bytes length of each message as the sender wrote it
   */
  static List<byte[]> messages(int bytes) {
    Random random = new Random(SEED);
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      String sender = "10.20." + random.nextInt(4) + "." + random.nextInt(250) + " ";
      StringBuilder text =
          new StringBuilder(
              "<134>1 2026-11-21T10:15:%02d.%06dZ web-%02d app %d - - %08x"
                  .formatted(
                      i * 60 / MESSAGES,
                      random.nextInt(1_000_000),
                      random.nextInt(40),
                      random.nextInt(30_000),
                      random.nextInt()));
      while (text.length() < bytes) {
        text.append(' ').append(WORDS.get(random.nextInt(WORDS.size())));
      }
      text.setLength(bytes);
      messages.add((sender + text).getBytes(US_ASCII));
    }
    return messages;
  }

  static EncodedBatch encoded(int bytes, boolean compressed) {
    return encoded(messages(bytes), compressed);
  }

  private static EncodedBatch encoded(List<byte[]> messages, boolean compressed) {
    try (BatchEncoder encoder = new BatchEncoder(true, compressed)) {
      for (byte[] message : messages) {
        encoder.add(message, 0, message.length);
      }
      return encoder.encode();
    }
  }

  static MessageBatch decoded(int bytes) {
    return decoded(messages(bytes));
  }

  /**
   * Returns a batch of these messages, each of which begins with its sender's address and a space.
   */
  public static MessageBatch decoded(List<byte[]> messages) {
    EncodedBatch encoded = encoded(messages, false);
    try {
      return new BatchDecoder(BatchLimits.DEFAULT).decode(encoded.body(), encoded.encoding());
    } catch (MalformedBatchException e) {
      throw new IllegalStateException(e); // can't happen, because it was just encoded
    }
  }
}
