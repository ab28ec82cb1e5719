package io.duplog.explore;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bridge's sinks, with a rule that drops the message {@code m}. Reports which messages were
 * filtered.
 */
final class FilteringSink implements Sink {
  /** One for all bridges, because the explorer makes many. */
  private static final Routing RULES = rules();

  private final Sinks sinks;
  private final Consumer<String> filteredListener;

  FilteringSink(Sink sink, Consumer<String> filteredListener) {
    this.sinks = new Sinks(List.of(new Sinks.Member("one", "hec", SUBJECT, true, sink, RULES)));
    this.filteredListener = filteredListener;
  }

  private static Routing rules() {
    try {
      return new Routing(
          ConfigLoader.of(Map.of(), "h")
              .parse(
                  "rules.yaml", "rules: [{match: {message: m}, drop: true}]", RoutingConfig.class));
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    sinks.deliver(delivery.with(new Overheard(delivery)));
  }

  /** Passes everything on to the bridge, and reports which messages were filtered. */
  private final class Overheard implements DeliveryRequest.Callback {
    private final DeliveryRequest delivery;

    Overheard(DeliveryRequest delivery) {
      this.delivery = delivery;
    }

    @Override
    public void filtered(BitSet messages) {
      filteredListener.accept(ExploredBridge.letters(delivery.batch(), messages));
      delivery.callback().filtered(messages);
    }

    @Override
    public void accepted() {
      delivery.callback().accepted();
    }

    @Override
    public void withdrawn() {
      delivery.callback().withdrawn();
    }

    @Override
    public void refused(int message, @Nullable String sink, String reason, Runnable kept) {
      delivery.callback().refused(message, sink, reason, kept);
    }

    /** Returns a text by which the explorer recognises equal states. */
    @Override
    public String toString() {
      return delivery.callback().toString();
    }
  }

  @Override
  public boolean isAvailable() {
    return sinks.isAvailable();
  }

  @Override
  public void withdraw() {
    sinks.withdraw();
  }

  @Override
  public void close() throws IOException {
    sinks.close();
  }
}
