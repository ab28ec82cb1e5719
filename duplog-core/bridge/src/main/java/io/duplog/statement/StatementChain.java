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
 * Holds the last {@value #LENGTH} signed hourly statements. Each contains the hash of the one
 * before. It starts with the files in the bridge's statement folder, and then adds the statements
 * that other bridges have stored. Not thread-safe.
 */
final class StatementChain {
  /**
   * Number of statements in the store. A bridge that was down for up to two days can copy them from
   * there.
   */
  static final int LENGTH = 48;

  /** The result of {@link #offer}. */
  enum Offer {
    /** The statement is already in the chain, or does not follow any statement of the chain. */
    NOTHING_NEW,
    ADDED,
    /** The statement follows, but is signed with another key. */
    OF_ANOTHER_KEY
  }

  private final StatementFolder folder;
  private final PrivateKey key;
  private final NavigableMap<Long, SignedStatement> byNumber = new TreeMap<>();

  /** Ids of all parts that were ever stated, or null until one is older than the chain. */
  private @Nullable Set<String> formerIds;

  StatementChain(StatementFolder folder, PrivateKey key) {
    this.folder = folder;
    this.key = key;
  }

  /**
   * Reads the last statements of the folder. The chain restarts where the folder has a gap or a
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
      byNumber
          .tailMap(number, true)
          .clear(); // they belong to a chain that the other bridges don't have
    } else if (before == null) {
      byNumber.clear(); // the store has forgotten the statements in between
      formerIds = null;
    }
    add(statement);
    return Offer.ADDED;
  }

  /** Returns a view of the statements in order. */
  Collection<SignedStatement> statements() {
    return byNumber.values();
  }

  boolean isEmpty() {
    return byNumber.isEmpty();
  }

  /** Returns the first statement, or null if there is none. */
  @Nullable SignedStatement first() {
    return byNumber.isEmpty() ? null : byNumber.firstEntry().getValue();
  }

  /** Returns the last statement, or null if there is none. */
  @Nullable SignedStatement last() {
    return byNumber.isEmpty() ? null : byNumber.lastEntry().getValue();
  }

  /** Returns the ids of the parts in the chain's statements. */
  Set<String> partIds() {
    Set<String> ids = new HashSet<>();
    byNumber.values().forEach(each -> each.parts().forEach(part -> ids.add(part.id())));
    return ids;
  }

  /** Whether a part from before the chain's first hour is in a statement of the folder. */
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
