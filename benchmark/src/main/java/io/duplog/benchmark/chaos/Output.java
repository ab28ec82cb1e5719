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

  void add(FaultResult row) throws IOException {
    rows.add(row);
    say(TablePage.line(row));
    row.errors().forEach(error -> say("  ! " + error));
    row.notes().forEach(note -> say("  - " + note));
    Picture.course(row).write(folder);
    page.add(row, build);
    List<String> order = Faults.ALL.stream().map(Fault::name).toList();
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
