package io.duplog.benchmark.part;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.base.Splitter;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.util.List;
import java.util.Random;

/**
 * Creates a batch of realistic messages as the input of microbenchmarks. All messages differ, and
 * they are the same in each process. Each begins with its sender's address, as the shim receives
 * it.
 */
final class SampleBatch {
  /** Number of messages in a batch. A busy rsyslog passes on about as many in one transaction. */
  static final int MESSAGES = 500;

  private static final long SEED = 5424;
  private static final List<String> WORDS =
      Splitter.on(' ')
          .splitToList(
              "accepted connection from user session opened closed port denied by policy GET"
                  + " /index.html 200 bytes in ms kernel link up");

  private SampleBatch() {}

  /**
   * Creates the messages.
   *
   * @param bytes length of each message as the sender wrote it
   */
  static String[] messages(int bytes) {
    Random random = new Random(SEED);
    String[] messages = new String[MESSAGES];
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
      messages[i] = sender + text;
    }
    return messages;
  }

  static EncodedBatch encode(int bytes, boolean compressed) {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.SENDER_AND_TEXT, compressed)) {
      for (String message : messages(bytes)) {
        encoder.add(message.getBytes(US_ASCII), 0, message.length());
      }
      return encoder.encode();
    }
  }

  static MessageBatch decode(int bytes) {
    return DeliveryRequests.batch(true, messages(bytes));
  }
}
