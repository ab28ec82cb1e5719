package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.Reference;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog reference}: prints every key of the configuration with its default,
 * unit and meaning.
 */
@Command(
    name = "reference",
    description = "Print every key of duplog.yaml with its default and meaning.",
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = "0:always",
    footerHeading = "Example:%n",
    footer = "  duplog reference | less")
final class ReferenceCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(Reference.of(BridgeConfig.class));
    out.flush();
  }
}
