package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.Faults;
import io.duplog.benchmark.report.Checkout;
import io.duplog.benchmark.report.FaultResult;
import io.duplog.benchmark.report.Picture;
import io.duplog.benchmark.report.TablePage;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows and writes the results, after each row anew, so that an interrupted command leaves some.
 */
final class Output {
  private final PrintWriter screen;
  private final Path folder;
  private final boolean keep;
  private final List<FaultResult> rows = new ArrayList<>();
  private final Checkout checkout = Checkout.ofThisBuild();
  private final String build = checkout.build();
  private TablePage page = new TablePage();

  /**
   * @param folder folder of the report; created if missing
   * @param keep whether the page in the folder keeps those rows that are not made anew
   * @throws LabException if this program is not in a checkout
   */
  Output(PrintWriter screen, Path folder, boolean keep) throws LabException {
    this.screen = screen;
    this.folder = folder;
    this.keep = keep;
  }

  /** Returns the parent folder of the labs' folders. */
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

  /**
   * Prints how many duplicates and how much delay a fault may cause. Must be called before the
   * fault begins.
   *
   * @param allowed number of duplicates
   */
  void announce(Fault fault, long allowed) {
    String because = fault.duplicates().cause();
    say(
        "# %s: none lost, at most %,d duplicates%s, no pause over %d s, no message later than the fault and %d s"
            .formatted(
                fault.what(),
                allowed,
                because.isEmpty() ? "" : " (" + because + ")",
                fault.limits().gap().toSeconds(),
                fault.limits().delay().toSeconds()));
  }

  void add(FaultResult row) throws IOException {
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

  void say(String line) {
    screen.println(line);
  }

  List<FaultResult> rows() {
    return List.copyOf(rows);
  }
}
