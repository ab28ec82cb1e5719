package io.duplog.deliver;

import io.duplog.deliver.route.MessageFilter.Filtered;
import io.duplog.observe.Printable;
import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once for each sender if the rules of a sink drop most of its messages. Such a rule may match
 * more than it was meant to. Thread-safe.
 */
final class DropWatch {
  private static final Logger log = LoggerFactory.getLogger(DropWatch.class);

  /** Share of a sender's messages above which a line is logged. */
  static final double LARGE_SHARE = 0.5;

  /** Number of a sender's messages after which its share is computed, and counted from 0 again. */
  static final int MESSAGES = 1_000;

  /** Maximum number of senders that are watched, because it costs memory for each. */
  static final int MAX_SENDERS = 10_000;

  /** Maximum number of senders that are logged, because one rule may concern all of them. */
  static final int MAX_LINES = 20;

  /** The latest messages of one sender; guarded by itself. */
  private static final class Share {
    private int messages;
    private int drops;
    private int latestRule;
    private boolean isLogged;
  }

  private final String sink;
  private final Map<String, Share> shares = new ConcurrentHashMap<>();
  private int lines;

  /**
   * @param sink the sink's name in the configuration
   */
  DropWatch(String sink) {
    this.sink = sink;
  }

  /**
   * Adds messages of a request.
   *
   * @param requested indexes of the messages
   * @param filtered which of them the rules dropped, or null if they dropped none
   */
  void add(MessageBatch batch, BitSet requested, @Nullable Filtered filtered) {
    if (filtered == null && shares.isEmpty()) {
      return; // no sender has lost a message yet
    }
    for (int i = requested.nextSetBit(0); i >= 0; i = requested.nextSetBit(i + 1)) {
      String sender = batch.sender(i);
      if (sender != null) {
        add(sender, filtered != null && filtered.dropped().get(i) ? filtered.rules()[i] : 0);
      }
    }
  }

  /**
   * @param rule number of the rule that dropped the message, or 0
   */
  private void add(String sender, int rule) {
    Share share = shares.get(sender);
    if (share == null && rule != 0 && shares.size() < MAX_SENDERS) {
      share = shares.computeIfAbsent(sender, any -> new Share());
    }
    if (share == null) {
      return; // no message of the sender has been dropped, or there are too many senders
    }
    int percent;
    int latestRule;
    synchronized (share) {
      share.messages++;
      if (rule != 0) {
        share.drops++;
        share.latestRule = rule;
      }
      if (share.messages < MESSAGES) {
        return;
      }
      boolean isNews = !share.isLogged && share.drops > LARGE_SHARE * share.messages;
      share.isLogged |= isNews;
      percent = isNews ? share.drops * 100 / share.messages : 0;
      latestRule = share.latestRule;
      share.messages = 0;
      share.drops = 0;
    }
    if (percent > 0) {
      logOnce(sender, percent, latestRule);
    }
  }

  private synchronized void logOnce(String sender, int percent, int rule) {
    if (lines++ < MAX_LINES) {
      log.warn(
          "The rules of sink {} drop {} % of the messages of sender {}, the latest by rule {}. They"
              + " are not delivered there. If you did not mean this, correct the rule: `duplog"
              + " route` shows what it matches.{}",
          sink,
          percent,
          Printable.of(sender),
          rule,
          lines == MAX_LINES ? " Further senders are not named." : "");
    }
  }
}
