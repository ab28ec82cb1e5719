package io.duplog.statement;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.Collection;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The last {@value #LENGTH} statements of the chain as one bridge knows it: those of the store, and
 * those of its folder at first. Not safe for threads.
 */
final class StatementChain {
  /** Statements in the store, from which a bridge that was away for two days can copy them. */
  static final int LENGTH = 48;

  /** What {@link #offer} made of a statement. */
  enum Offer {
    /** It is in the chain already, or follows no statement of the chain. */
    NOTHING_NEW,
    ADDED,
    /** It follows, but is signed by another key. */
    OF_ANOTHER_KEY
  }

  private final StatementFolder folder;
  private final PrivateKey key;
  private final NavigableMap<Long, SignedStatement> byNumber = new TreeMap<>();

  /** Ids of all parts that were ever stated; null until one is older than the chain. */
  private @Nullable Set<String> formerIds;

  StatementChain(StatementFolder folder, PrivateKey key) {
    this.folder = folder;
    this.key = key;
  }

  /**
   * Reads the last statements of the folder. The chain begins again where the folder has a gap or a
   * fork.
   */
  void load() throws IOException {
    folder
        .statements(LENGTH)
        .forEach(
            statement -> {
              SignedStatement last = last();
              if (last != null && !statement.follows(last)) {
                byNumber.clear();
              }
              add(statement);
            });
  }

  private void add(SignedStatement statement) {
    byNumber.put(statement.number(), statement);
    while (byNumber.size() > LENGTH) {
      SignedStatement old = byNumber.pollFirstEntry().getValue();
      if (formerIds != null) {
        old.parts().forEach(part -> formerIds.add(part.id()));
      }
    }
  }

  /**
   * Adds a statement of the store if it follows the one before it. It replaces a statement with the
   * same number, and those after that.
   */
  Offer offer(SignedStatement statement) throws GeneralSecurityException {
    long number = statement.number();
    SignedStatement known = byNumber.get(number);
    if (known != null && known.line().equals(statement.line())) {
      return Offer.NOTHING_NEW;
    }
    SignedStatement before = byNumber.get(number - 1);
    boolean follows =
        before != null
            ? statement.follows(before)
            : byNumber.isEmpty() || number > byNumber.lastKey() || number == byNumber.firstKey();
    if (!follows) {
      return Offer.NOTHING_NEW;
    }
    if (!statement.isSignedBy(key)) {
      return Offer.OF_ANOTHER_KEY;
    }
    if (known != null) {
      byNumber.tailMap(number, true).clear(); // they are of a chain that the others don't have
    } else if (before == null) {
      byNumber.clear(); // the store has forgotten what was between
      formerIds = null;
    }
    add(statement);
    return Offer.ADDED;
  }

  /** Returns the statements in order; a view. */
  Collection<SignedStatement> statements() {
    return byNumber.values();
  }

  boolean isEmpty() {
    return byNumber.isEmpty();
  }

  /** Returns the first statement; null if there is none. */
  @Nullable SignedStatement first() {
    return byNumber.isEmpty() ? null : byNumber.firstEntry().getValue();
  }

  /** Returns the last statement; null if there is none. */
  @Nullable SignedStatement last() {
    return byNumber.isEmpty() ? null : byNumber.lastEntry().getValue();
  }

  /** Returns the ids of the parts that the chain's statements have. */
  Set<String> partIds() {
    Set<String> ids = new HashSet<>();
    byNumber.values().forEach(each -> each.parts().forEach(part -> ids.add(part.id())));
    return ids;
  }

  /** Whether a part of an hour before those of the chain is in a statement of the folder. */
  boolean hasFormerly(BridgePart part) throws IOException {
    SignedStatement first = first();
    if (first == null || byNumber.size() < LENGTH || !part.hour().isBefore(first.hour())) {
      return false;
    }
    if (formerIds == null) {
      Set<String> ids = new HashSet<>();
      folder
          .statements(Integer.MAX_VALUE)
          .flatMap(each -> each.parts().stream())
          .forEach(each -> ids.add(each.id()));
      formerIds = ids;
    }
    return formerIds.contains(part.id());
  }
}
