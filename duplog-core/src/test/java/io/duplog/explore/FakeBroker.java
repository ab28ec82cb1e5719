package io.duplog.explore;

import io.duplog.receive.FakeChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The queue of one stream, with a channel for each bridge. */
final class FakeBroker {
  static final List<String> STREAMS = List.of("a", "b", "c");

  /** A publication of a batch: the second one of a batch is a publisher's repetition. */
  record Publication(int batch, int copy) implements Comparable<Publication> {
    private static final int COPIES = 10;

    static Publication of(long tag) {
      return new Publication((int) tag / COPIES, (int) tag % COPIES);
    }

    /** As its delivery is called. */
    long tag() {
      return (long) batch * COPIES + copy;
    }

    @Override
    public int compareTo(Publication other) {
      return Long.compare(tag(), other.tag());
    }

    @Override
    public String toString() {
      return "X" + batch + "'".repeat(copy);
    }
  }

  /** What one bridge has taken and not acknowledged. */
  static final class Channel extends FakeChannel {
    // Both in the publications' order, whatever theirs was: equal states have equal texts.
    final List<Publication> unacknowledged = new ArrayList<>();

    /** Sent by the bridge, not yet seen by the broker. */
    final List<Publication> acknowledgements = new ArrayList<>();

    Channel(String stream) {
      super(stream);
    }

    @Override
    public void settled(long tag) {
      acknowledgements.add(Publication.of(tag));
      acknowledgements.sort(null);
    }
  }

  private final String stream;
  boolean alive = true;
  private final List<Publication> ready = new ArrayList<>();
  private final Map<String, Channel> channels = new HashMap<>();

  /**
   * @param stream its number, from 0
   */
  FakeBroker(int stream) {
    this.stream = STREAMS.get(stream);
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

  Channel channel(String bridge) {
    return channels.computeIfAbsent(bridge, name -> new Channel(stream));
  }

  /** Takes one of the acknowledgements that are on their way. */
  void takeAcknowledgement(String bridge, int index) {
    Channel channel = channel(bridge);
    channel.unacknowledged.remove(channel.acknowledgements.remove(index));
  }

  int acknowledgements(String bridge) {
    return alive ? channel(bridge).acknowledgements.size() : 0;
  }

  /** The channel breaks; its deliveries are ready again, in their order. */
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

  /** Burns, with its disk. */
  void burn() {
    alive = false;
    ready.clear();
    channels.values().forEach(channel -> channel.lost = true);
    channels.clear();
  }

  /** Whether it is alive, and somebody has yet to settle the batch. */
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
   * The state.
   *
   * @param bridges in the order in which their channels are to be told
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
