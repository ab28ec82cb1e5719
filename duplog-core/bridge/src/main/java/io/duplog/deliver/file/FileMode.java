package io.duplog.deliver.file;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The permissions that a new file of the sink gets, written as for {@code chmod}.
 *
 * @param bits nine bits, from the owner's read permission down
 */
public record FileMode(int bits) {
  /** Parses octal permissions such as {@code 0640} or {@code 640}. */
  public static FileMode parse(String text) {
    if (!text.matches("0?[0-7]{3}")) {
      throw new IllegalArgumentException("must be octal rights such as 0640");
    }
    return new FileMode(Integer.parseInt(text, 8));
  }

  Set<PosixFilePermission> permissions() {
    StringBuilder rights = new StringBuilder("rwxrwxrwx");
    for (int i = 0; i < rights.length(); i++) {
      if ((bits & (0400 >> i)) == 0) {
        rights.setCharAt(i, '-');
      }
    }
    return PosixFilePermissions.fromString(rights.toString());
  }

  @Override
  public String toString() {
    return String.format("%04o", bits);
  }
}
