package io.duplog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a figure in a document is reported if it differs from the table that it names. */
class FiguresTest {
  private static final String TABLES =
      """
      | run | rate | µs | spread |
      |---|--:|--:|--:|
      | **kill-a**: one | 6,023 | 9.46 (356) | 0.97 s |
      | **kill-b**: two | 3995800 | 1.5 | 25.5 to 34.9 |

      | run | else |
      |---|--:|
      | kill-a | 32000: why |
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "9.5 µs    ! kill-a; µs              ! 9.4 µs",
        "6,000     ! kill-a; rate            ! 6,100",
        "6,020/s   ! kill-a; rate            ! 6,030/s",
        "4.0 million messages ! kill-b; rate ! 4.1 million messages",
        "4.00 million messages ! sum kill-*; rate ! 3.99 million messages",
        "a 35 times ! max kill-b; spread     ! 26 times",
        "0.97 s    ! kill-a; spread          ! 0.98 s",
        "32,000    ! kill-a; else            ! 30,000",
        "2 rows    ! count *; µs             ! 1 row",
        "1.5       ! min kill-a or kill-b; µs ! 9.46",
        "4.7       ! half kill-a; µs         ! 9.5",
        "10.43     ! kill-a; µs + spread     ! 9.46",
        "6,023     ! kill-a; rate            ! no number",
        "6,023     ! kill-a; rate            ! 6,023<!-- a comment --> 6,023",
      })
  void figure_thatIsNotItsCell_isWrong(String right, String cell, String wrong) throws IOException {
    Files.writeString(folder.resolve("t.md"), TABLES);
    String comment = "<!-- t.md; " + cell + " -->, and 7";
    assertThat(new Figures(folder).wrong(right + comment)).isEmpty();
    assertThat(new Figures(folder).wrong(wrong + comment)).hasSize(1);
    assertThat(new Figures(folder).wrong(right + comment.replaceAll("kill|\\*", "row"))).hasSize(1);
    String link = "In [it](results/t.md) 7 are ";
    assertThat(Figures.untied(link + "7 s" + comment + " 1.5 MB\n\n6 s")).containsExactly("1.5 MB");
  }
}
