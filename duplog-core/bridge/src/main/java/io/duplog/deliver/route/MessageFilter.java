package io.duplog.deliver.route;

import com.google.common.hash.Hashing;
import io.duplog.deliver.route.RoutingConfig.Drop;
import io.duplog.deliver.route.RoutingConfig.Rule;
import io.duplog.deliver.syslog.SyslogHeader;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides by rules which messages are dropped, and replaces texts in those that are delivered. Not
 * thread-safe.
 *
 * @see "docs/decisions/routing.md#drop-and-mask"
 */
public final class MessageFilter {

  /**
   * The rules with an action, by their numbers, which begin at 1. Immutable.
   *
   * @param index the rules that decide whether a message is dropped
   * @param dropping their numbers
   * @param masking numbers of the rules that replace texts
   */
  record Actions(RuleIndex index, List<Integer> dropping, List<Integer> masking) {

    /** Returns null if no rule has an action. */
    static @Nullable Actions of(RoutingConfig.Defaults defaults, List<Rule> rules) {
      List<Integer> dropping = new ArrayList<>();
      List<Integer> masking = new ArrayList<>();
      for (int number = 1; number <= rules.size(); number++) {
        Rule rule = rules.get(number - 1);
        if (rule.isForDrops()) {
          dropping.add(number);
        }
        if (rule.isForMasks()) {
          masking.add(number);
        }
      }
      return dropping.isEmpty() && masking.isEmpty()
          ? null
          : new Actions(
              new RuleIndex(defaults, rules, Rule::isForDrops),
              Collections.unmodifiableList(dropping),
              Collections.unmodifiableList(masking));
    }

    Rule rule(int number) {
      return index.rules().get(number - 1);
    }
  }

  /**
   * The outcome of the rules for the messages of a batch.
   *
   * @param batch the batch with masked texts, or the given one if no text is masked
   * @param chosen indexes of the messages to deliver, which may be none
   * @param dropped indexes of the messages that the rules drop
   * @param rules by the messages' indexes, the number of the rule that drops the message, or would
   *     drop it if it did not only observe; otherwise 0
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  public record Filtered(MessageBatch batch, BitSet chosen, BitSet dropped, int[] rules) {}

  private final Actions actions;
  private final SyslogHeader header;
  private final Router router;
  private byte[] data = {};
  private int textStart;
  private int end;
  private int number;

  MessageFilter(SenderZone zone, Actions actions) {
    this.actions = actions;
    this.header = new SyslogHeader(zone.id());
    this.router = new Router(actions.index());
  }

  /**
   * Returns the numbers of the rules that may drop messages, from 1; the same object as long as no
   * rule file changes.
   */
  public List<Integer> droppingRules() {
    return actions.dropping();
  }

  /**
   * Reads a message.
   *
   * @param start offset of the sender's address, which a space follows
   * @param newTextStart offset of the message as written by the sender
   * @param newEnd offset after the message
   * @param receivedMillis as for {@link SyslogHeader#parse}
   * @param event metadata that the message has as an event of HEC, or null if it has none
   */
  public void read(
      byte[] newData,
      int start,
      int newTextStart,
      int newEnd,
      long receivedMillis,
      @Nullable EventHead event) {
    data = newData;
    textStart = newTextStart;
    end = newEnd;
    header.parse(data, textStart, end, receivedMillis);
    number = router.route(data, start, textStart, end, header, event).rule();
  }

  /**
   * Returns the number of the rule that decides whether the message is dropped, from 1; 0 if there
   * is none.
   */
  public int rule() {
    return number;
  }

  /** Returns the decisive rule's action, or null if there is no such rule, or it only samples. */
  public @Nullable Drop drop() {
    return number == 0 ? null : actions.rule(number).drop();
  }

  /** Returns how many messages the decisive rule delivers one of; 1 if it takes no sample. */
  public int sample() {
    return number == 0 ? 1 : actions.rule(number).sample();
  }

  /**
   * Whether the decisive rule drops the message, or would drop it if it did not only observe.
   *
   * @param digest of the message, by which all bridges choose the same sample
   */
  boolean isHit(IntFunction<String> digest, int message) {
    if (number == 0) {
      return false;
    }
    Rule rule = actions.rule(number);
    if (rule.sample() == 1) {
      return rule.drop() != Drop.FALSE;
    }
    int hash = Hashing.murmur3_32_fixed().hashUnencodedChars(digest.apply(message)).asInt();
    return Integer.remainderUnsigned(hash, rule.sample()) != 0;
  }

  /** Returns the text with the replacements of all matching rules, or null if there are none. */
  public byte @Nullable [] masked() {
    MaskedText text = null;
    for (int i = 0; i < actions.masking().size(); i++) {
      int masking = actions.masking().get(i);
      if (router.holds(masking - 1, header)) {
        text = text == null ? new MaskedText(data, textStart, end) : text;
        text.apply(actions.rule(masking).mask());
      }
    }
    return text == null ? null : text.changedBytes();
  }

  /**
   * Applies the rules to messages of a batch.
   *
   * @param chosen indexes of the messages that are to be delivered
   * @param digests returns the digest of the message with the given index
   * @return null if the rules neither drop, mask nor count any of them
   */
  public @Nullable Filtered apply(
      MessageBatch batch, BitSet chosen, IntFunction<String> digests, long receivedMillis) {
    int[] rules = {};
    BitSet dropped = new BitSet();
    byte[][] masked = {};
    for (int i = chosen.nextSetBit(0); i >= 0; i = chosen.nextSetBit(i + 1)) {
      EventHead event = batch.form() == MessageForm.EVENT ? batch.eventHead(i) : null;
      read(batch.data(), batch.start(i), batch.textStart(i), batch.end(i), receivedMillis, event);
      if (isHit(digests, i)) {
        rules = rules.length == 0 ? new int[batch.count()] : rules;
        rules[i] = number;
        if (drop() != Drop.OBSERVE) {
          dropped.set(i);
          continue;
        }
      }
      byte[] text = masked();
      if (text != null) {
        masked = masked.length == 0 ? new byte[batch.count()][] : masked;
        masked[i] = text;
      }
    }
    if (rules.length == 0 && masked.length == 0) {
      return null;
    }
    BitSet delivered = (BitSet) chosen.clone();
    delivered.andNot(dropped);
    MessageBatch rewritten =
        masked.length == 0 ? batch : MaskedText.rewritten(batch, delivered, masked);
    return new Filtered(
        rewritten, delivered, dropped, rules.length == 0 ? new int[batch.count()] : rules);
  }

  /** Returns the numbers of the rules whose replacements apply to the message. */
  public List<Integer> maskingRules() {
    return actions.masking().stream().filter(masking -> router.holds(masking - 1, header)).toList();
  }
}
