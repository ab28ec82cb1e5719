package io.duplog.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compares the generated files of the checkout with what the code makes of them now. */
public final class Generated {
  private Generated() {}

  /**
   * Fails if a file of the checkout differs from the text. The new text is then in the folder
   * {@code target/reference}, from where {@code make reference} copies it.
   *
   * @param file path in the checkout, such as {@code docs/commands.md}
   */
  public static void assertCurrent(String file, String text) throws IOException {
    Path checkout = Deployed.checkout();
    Path made = checkout.resolve("target/reference").resolve(file);
    Files.createDirectories(made.getParent());
    Files.writeString(made, text);
    assertThat(checkout.resolve(file))
        .as("%s is generated: run 'make reference', or copy %s", file, made)
        .hasSameTextualContentAs(made);
  }
}
