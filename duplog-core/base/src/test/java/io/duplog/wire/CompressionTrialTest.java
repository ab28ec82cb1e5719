package io.duplog.wire;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Tests that the operator gets a one-line error with the remedy if the compression library can't be
 * loaded.
 */
class CompressionTrialTest {
  @Test
  void run_usableLibrary_succeeds() {
    assertThatCode(CompressionTrial::run).doesNotThrowAnyException();
  }

  @Test
  void run_unloadableLibrary_errorIsOneLineWithFolderCauseAndRemedy() {
    assertThatThrownBy(
            () ->
                CompressionTrial.run(
                    () -> {
                      throw new UnsatisfiedLinkError(
                          "/tmp/libzstd.so: failed to map segment from shared object\nand more");
                    },
                    "/tmp"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "compression: zstd's library can't be loaded from /tmp"
                + " (/tmp/libzstd.so: failed to map segment from shared object)")
        .hasMessageContainingAll("noexec", "-DZstdTempFolder=")
        .hasMessageNotContaining("\n");
  }

  @Test
  void run_changedBody_throws() {
    assertThatThrownBy(() -> CompressionTrial.run(() -> false, "/tmp"))
        .hasMessage("compression: a body is not the same after it was compressed");
  }
}
