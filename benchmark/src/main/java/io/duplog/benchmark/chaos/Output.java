package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.Faults;
import io.duplog.benchmark.report.Checkout;
import io.duplog.benchmark.report.Picture;
import io.duplog.benchmark.report.Row;
import io.duplog.benchmark.report.TablePage;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a run shows and writes, after each row anew, so that an end in between leaves something. */
final class Output {
  private final PrintWriter screen;
  private final Path folder;
  private final boolean keep;
  private final List<Row> rows = new ArrayList<>();
  private final Checkout checkout = Checkout.ofThisBuild();
  private final String build = checkout.build();
  private TablePage page = new TablePage();

  /**
   * @param folder made where it does not exist
   * @param keep whether the page that is in the folder keeps the rows that are not made anew
   * @throws LabException if this program is in no checkout
   */
  Output(PrintWriter screen, Path folder, boolean keep) throws LabException {
    this.screen = screen;
    this.folder = folder;
    this.keep = keep;
  }

  /** For the folders of labs. */
  Path labs() {
    return folder.toAbsolutePath().resolve("labs");
  }

  void begin() throws IOException {
    Files.createDirectories(folder);
    if (keep) {
      page = TablePage.read(table());
    }
    say(TablePage.header());
  }

  /** States what is promised, before it is tried. */
  void announce(Fault fault, long allowed) {
    String because = fault.duplicates().cause();
    say(
        "# %s: at most %,d lost, at most %,d duplicates%s, no pause over %d s, no message later than the fault and %d s"
            .formatted(
                fault.what(),
                fault.limits().lost(),
                allowed,
                because.isEmpty() ? "" : " (" + because + ")",
                fault.limits().gap().toSeconds(),
                fault.limits().delay().toSeconds()));
  }

  void add(Row row) throws IOException {
    rows.add(row);
    say(TablePage.line(row));
    row.errors().forEach(error -> say("  ! " + error));
    row.notes().forEach(note -> say("  - " + note));
    Picture.course(row).write(folder);
    page.add(row, build);
    List<String> order = Faults.all().stream().map(Fault::name).toList();
    Files.writeString(table(), page.text(order, checkout::isOlder));
  }

  private Path table() {
    return folder.resolve("table.md");
  }

  void skipped(Fault fault, String why) {
    say("%-22s not run: %s".formatted(fault.name(), why));
  }

  void say(String line) {
    screen.println(line);
  }

  List<Row> rows() {
    return List.copyOf(rows);
  }
}
