package io.duplog.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The queue of one stream, with a channel for each bridge. */
final class FakeBroker {
  /** A publication of a batch: the second one of a batch is a publisher's repetition. */
  record Publication(int batch, int copy) implements Comparable<Publication> {
    @Override
    public int compareTo(Publication other) {
      return batch != other.batch
          ? Integer.compare(batch, other.batch)
          : Integer.compare(copy, other.copy);
    }
  }

  /** What one bridge has taken and not acknowledged. */
  static final class Channel {
    boolean lost;
    final List<Publication> unacknowledged = new ArrayList<>();

    /** Sent by the bridge, not yet seen by the broker. */
    final List<Publication> acknowledgements = new ArrayList<>();
  }

  boolean alive = true;
  private final List<Publication> ready = new ArrayList<>();
  private final Map<String, Channel> channels = new HashMap<>();

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
    channel(bridge).unacknowledged.add(next);
    return next;
  }

  Channel channel(String bridge) {
    return channels.computeIfAbsent(bridge, name -> new Channel());
  }

  /** Takes the oldest acknowledgement that is on its way. */
  void takeAcknowledgement(String bridge) {
    Channel channel = channel(bridge);
    channel.unacknowledged.remove(channel.acknowledgements.remove(0));
  }

  boolean hasAcknowledgement(String bridge) {
    return alive && !channel(bridge).acknowledgements.isEmpty();
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

  boolean isEmpty() {
    return ready.isEmpty()
        && channels.values().stream().allMatch(channel -> channel.unacknowledged.isEmpty());
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(alive).append(ready);
    new TreeMap<>(channels)
        .forEach(
            (bridge, channel) -> {
              if (!channel.unacknowledged.isEmpty()) {
                text.append(bridge)
                    .append(new ArrayList<>(channel.unacknowledged).stream().sorted().toList())
                    .append(channel.acknowledgements);
              }
            });
    return text.toString();
  }
}
