package io.duplog.wire;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests the report about a compression library that can't be loaded. */
class CompressionTrialTest {
  @Test
  void hostWithALibrary_passes() {
    assertThatCode(CompressionTrial::run).doesNotThrowAnyException();
  }

  @Test
  void libraryThatCannotBeLoaded_isOneLineWithFolderCauseAndWayOut() {
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
  void bodyThatChanges_isTold() {
    assertThatThrownBy(() -> CompressionTrial.run(() -> false, "/tmp"))
        .hasMessage("compression: a body is not the same after it was compressed");
  }
}
