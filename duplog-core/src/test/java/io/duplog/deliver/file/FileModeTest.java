package io.duplog.deliver.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class FileModeTest {
  @Test
  void everyMode_isWhatChmodTakesItFor() {
    for (int bits = 0; bits <= 0777; bits++) {
      String text = String.format("%03o", bits);
      FileMode mode = FileMode.parse(text);
      StringBuilder rights = new StringBuilder();
      for (int i = 0; i < text.length(); i++) {
        int right = text.charAt(i) - '0';
        rights.append((right & 4) != 0 ? 'r' : '-');
        rights.append((right & 2) != 0 ? 'w' : '-');
        rights.append((right & 1) != 0 ? 'x' : '-');
      }
      assertThat(PosixFilePermissions.toString(mode.permissions())).isEqualTo(rights.toString());
      assertThat(mode).hasToString("0" + text).isEqualTo(FileMode.parse("0" + text));
    }
  }

  @Test
  void anythingElse_isRefused() {
    for (String text : new String[] {"", "64", "0800", "4755", "rw-r-----", "06400"}) {
      assertThatThrownBy(() -> FileMode.parse(text))
          .hasMessage("must be octal rights such as 0640");
    }
  }
}
