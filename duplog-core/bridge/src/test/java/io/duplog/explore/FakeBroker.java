package io.duplog.explore;

import io.duplog.receive.FakeChannel;
import io.duplog.wire.StreamBroker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Simulates the RabbitMQ queue of one stream for tests that try every order of events. */
final class FakeBroker {
  static final List<String> STREAMS = List.of("a", "b", "c");

  /** One publication of a batch; the second one of the same batch is the publisher's repetition. */
  record Publication(int batch, int copy) implements Comparable<Publication> {
    private static final int COPIES = 10;

    static Publication of(long tag) {
      return new Publication((int) tag / COPIES, (int) tag % COPIES);
    }

    /** Returns the tag of this publication's delivery. */
    long tag() {
      return (long) batch * COPIES + copy;
    }

    @Override
    public int compareTo(Publication other) {
      return Long.compare(tag(), other.tag());
    }

    /** Both publications of a batch have the same text, because bridges treat them alike. */
    @Override
    public String toString() {
      return "X" + batch;
    }
  }

  /** A channel of one bridge, and what the bridge has not acknowledged on it. */
  static final class Channel extends FakeChannel {
    // Both lists are in the order of publication, so that equal states have equal texts.
    final List<Publication> unacknowledged = new ArrayList<>();

    /** Acknowledgements that the bridge has sent and the broker has not yet seen. */
    final List<Publication> acknowledgements = new ArrayList<>();

    private final StreamBroker broker;

    Channel(String stream, StreamBroker broker) {
      super(stream);
      this.broker = broker;
    }

    @Override
    public StreamBroker broker() {
      return broker;
    }

    @Override
    public void settled(long tag) {
      acknowledgements.add(Publication.of(tag));
      acknowledgements.sort(null);
    }
  }

  private final String stream;
  private final StreamBroker identity;
  boolean alive = true;
  private final List<Publication> ready = new ArrayList<>();
  private final Map<String, Channel> channels = new HashMap<>();

  /**
   * @param stream index of the stream, from 0
   * @param deployment index of the deployment that the broker belongs to
   */
  FakeBroker(int stream, int deployment) {
    this.stream = STREAMS.get(stream);
    this.identity = StreamBroker.of(this.stream, "q", "d" + deployment);
  }

  /** Returns the broker as its bridges know it. */
  StreamBroker identity() {
    return alive ? identity : identity.lost();
  }

  void publish(int batch, int copy) {
    ready.add(new Publication(batch, copy));
  }

  boolean hasReady() {
    return alive && !ready.isEmpty();
  }

  Publication peek() {
    return ready.get(0);
  }

  Publication deliverTo(String bridge) {
    Publication next = ready.remove(0);
    List<Publication> unacknowledged = channel(bridge).unacknowledged;
    unacknowledged.add(next);
    unacknowledged.sort(null);
    return next;
  }

  /** Takes back a delivery that a bridge can't read. */
  void takeBack(String bridge, Publication publication) {
    channel(bridge).unacknowledged.remove(publication);
    ready.add(publication);
    ready.sort(null);
  }

  Channel channel(String bridge) {
    return channels.computeIfAbsent(bridge, name -> new Channel(stream, identity));
  }

  /** Makes the broker see one of the acknowledgements that are on their way. */
  void takeAcknowledgement(String bridge, int index) {
    Channel channel = channel(bridge);
    channel.unacknowledged.remove(channel.acknowledgements.remove(index));
  }

  int acknowledgements(String bridge) {
    return alive ? channel(bridge).acknowledgements.size() : 0;
  }

  /** Breaks a channel, whose deliveries are then ready again, in order. */
  void loseChannel(String bridge) {
    Channel channel = channels.remove(bridge);
    if (channel != null) {
      channel.lost = true;
      if (alive) {
        ready.addAll(channel.unacknowledged);
        ready.sort(null);
      }
    }
  }

  /** Destroys the broker with its disk. */
  void burn() {
    alive = false;
    ready.clear();
    channels.values().forEach(channel -> channel.lost = true);
    channels.clear();
  }

  /** Whether a batch is ready or unacknowledged here; false for a broker whose host is lost. */
  boolean holds(int batch) {
    return Stream.concat(
            ready.stream(),
            channels.values().stream().flatMap(channel -> channel.unacknowledged.stream()))
        .anyMatch(publication -> publication.batch() == batch);
  }

  boolean isEmpty() {
    return ready.isEmpty()
        && channels.values().stream().allMatch(channel -> channel.unacknowledged.isEmpty());
  }

  /**
   * Returns the broker's state as text.
   *
   * @param bridges names of the bridges, in the order in which their channels appear
   */
  String text(List<String> bridges) {
    StringBuilder text = new StringBuilder().append(alive).append(ready);
    for (String bridge : bridges) {
      Channel channel = channels.get(bridge);
      if (channel != null && !channel.unacknowledged.isEmpty()) {
        text.append(bridge).append(channel.unacknowledged).append(channel.acknowledgements);
      }
    }
    return text.toString();
  }
}
