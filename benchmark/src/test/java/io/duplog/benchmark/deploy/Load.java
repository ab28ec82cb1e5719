package io.duplog.benchmark.deploy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Numbered messages, sent from a thread of its own until told to end. */
final class Load implements AutoCloseable {
  /** Sends a message of this text, at its own pace, and returns it as it is to be delivered. */
  @FunctionalInterface
  interface Sending {
    String send(String text) throws IOException;
  }

  private final List<String> messages = Collections.synchronizedList(new ArrayList<>());
  private final FutureTask<Void> sending;
  private volatile boolean ending;

  Load(String name, Sending sender) {
    sending =
        new FutureTask<>(
            () -> {
              for (int i = 0; !ending; i++) {
                messages.add(sender.send("%s %06d".formatted(name, i)));
              }
              return null;
            });
    new Thread(sending, "send-" + name).start();
  }

  int sent() {
    return messages.size();
  }

  /**
   * Ends, and returns all that was sent.
   *
   * @throws ExecutionException if something could not be sent
   */
  List<String> end() throws InterruptedException, ExecutionException {
    ending = true;
    sending.get();
    return List.copyOf(messages);
  }

  @Override
  public void close() {
    ending = true;
  }
}
