package io.duplog.coverage;

import org.jspecify.annotations.Nullable;

/**
 * Two streams share almost no messages though both bring many: what one sees of a message differs
 * from what the other sees.
 *
 * @param one the first stream
 * @param other the second
 * @param example the most alike of what either brought and the other did not; null while none is
 *     known
 */
public record Mismatch(String one, String other, @Nullable Example example) {

  /**
   * Two messages side by side, in printable ASCII with everything else as {@code \xNN}, and cut.
   *
   * @param one as the first stream has it, sender included
   * @param other as the second one has it
   * @param offset the first byte that differs, from 0, the sender's address and its space included
   * @param cause what may be behind it
   */
  public record Example(String one, String other, int offset, String cause) {}
}
