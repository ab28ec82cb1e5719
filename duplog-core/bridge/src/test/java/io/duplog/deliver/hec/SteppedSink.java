package io.duplog.deliver.hec;

import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Conditions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs the HEC sink without threads for the simulation, which takes each sender's next step and
 * answers its requests.
 */
public final class SteppedSink {

  /**
   * A collector's answer.
   *
   * @param body null if there is none at all, as from the JDK's client for a 407
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  public record Answer(int status, @Nullable String retryAfter, byte @Nullable [] body) {}

  /** The collector behind one sender's connection. */
  public interface Collector {
    /** Answers a POST, or a GET if there is no body. */
    Answer ask(String path, byte @Nullable [] body, @Nullable String channel) throws IOException;
  }

  private final HecSink sink;

  /**
   * @param collectors returns the collector of a URL, once for each sender
   */
  public SteppedSink(
      HecSinkConfig config,
      Function<String, Collector> collectors,
      Conditions board,
      RandomGenerator random) {
    this.sink =
        new HecSink(
            config,
            new HecEnvironment(
                url -> new CollectorConnection(collectors.apply(url)),
                SinkContext.ofOnly(line -> {}, board),
                random,
                new Routing(config.routing())));
  }

  public Sink sink() {
    return sink;
  }

  /** Returns one step for each sender; a step returns the sender's idle time in nanoseconds. */
  public List<LongSupplier> senders() {
    return sink.senders().stream().<LongSupplier>map(sender -> sender::runOnce).toList();
  }

  private record CollectorConnection(Collector collector) implements Connection {
    @Override
    public Reply post(Post post) throws IOException {
      byte[] body = Arrays.copyOf(post.body(), post.length());
      return reply(collector.ask(post.path(), body, post.channel()));
    }

    @Override
    public Reply get(String path) throws IOException {
      return reply(collector.ask(path, null, null));
    }

    private static Reply reply(Answer answer) {
      return new Reply(
          answer.status(),
          answer.retryAfter(),
          null,
          null,
          answer.body(),
          FakeCollector.NO_SECRETS);
    }

    @Override
    public void close() {}
  }
}
