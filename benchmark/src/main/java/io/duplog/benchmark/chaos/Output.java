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
 * Prints the results of {@code chaos}, and writes them to files after each fault, so that an
 * interrupted run keeps some.
 */
final class Output {
  private final PrintWriter console;
  private final Path folder;
  private final boolean keepOtherRows;
  private final List<FaultResult> results = new ArrayList<>();
  private final Checkout checkout = Checkout.ofThisBuild();
  private final String buildName = checkout.build();
  private TablePage page = new TablePage();

  /**
   * Creates the output of one command.
   *
   * @param folder folder of the report; created if missing
   * @param keepOtherRows whether the page in the folder keeps the rows of other runs
   * @throws LabException if this program is not in a checkout
   */
  Output(PrintWriter console, Path folder, boolean keepOtherRows) throws LabException {
    this.console = console;
    this.folder = folder;
    this.keepOtherRows = keepOtherRows;
  }

  /** Returns the parent folder of the labs' folders. */
  Path labsFolder() {
    return folder.toAbsolutePath().resolve("labs");
  }

  void begin() throws IOException {
    Files.createDirectories(folder);
    if (keepOtherRows) {
      page = TablePage.read(tableFile());
    }
    print(TablePage.header());
  }

  void add(FaultResult result) throws IOException {
    results.add(result);
    print(TablePage.line(result));
    result.errors().forEach(error -> print("  ! " + error));
    result.notes().forEach(note -> print("  - " + note));
    Picture.course(result).write(folder);
    page.add(result, buildName);
    List<String> faultNames = Faults.ALL.stream().map(Fault::name).toList();
    Files.writeString(tableFile(), page.text(faultNames, checkout::isOlder));
  }

  private Path tableFile() {
    return folder.resolve("table.md");
  }

  void print(String line) {
    console.println(line);
  }

  List<FaultResult> results() {
    return List.copyOf(results);
  }
}
