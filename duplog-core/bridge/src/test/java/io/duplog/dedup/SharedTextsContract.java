package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests that a store of shared texts replaces a text only if the caller knew the current one. Each
 * kind of store runs these tests.
 */
public abstract class SharedTextsContract {
  /** A name of bytes that are no UTF-8, since a sender may be anything without a space. */
  private static final String STRANGE = "\u00e9\u0001\u00ff";

  protected abstract SharedTexts store() throws Exception;

  private static SharedTexts.Change change(String sender, String known, String next) {
    return new SharedTexts.Change(sender, known, next);
  }

  @Test
  void text_isReplaced_onlyWhereItIsTheOneThatTheCallerKnows() throws Exception {
    SharedTexts store = store();

    assertThat(store.replace(List.of(change("x", "", "1"), change(STRANGE, "", "2 b"))))
        .containsExactly("", "");
    assertThat(store.replace(List.of(change("x", "", "3"), change(STRANGE, "2 b", "4"))))
        .containsExactly("1", "2 b");
    assertThat(store.all()).isEqualTo(Map.of("x", "1", STRANGE, "4"));

    assertThat(store.replace(List.of(change("x", "3", ""), change(STRANGE, "4", ""))))
        .containsExactly("1", "4");
    assertThat(store.replace(List.of(change("y", "5", "6")))).containsExactly("");
    assertThat(store.all()).isEqualTo(Map.of("x", "1"));
  }

  @Test
  void everySender_isRead_howeverMany() throws Exception {
    SharedTexts store = store();
    for (int hundred = 0; hundred < 25; hundred++) {
      int first = 100 * hundred;
      store.replace(
          IntStream.range(first, first + 100)
              .mapToObj(i -> change("10.0.0." + i, "", "text " + i))
              .toList());
    }

    assertThat(store.all()).hasSize(2_500).containsEntry("10.0.0.2499", "text 2499");
  }
}
