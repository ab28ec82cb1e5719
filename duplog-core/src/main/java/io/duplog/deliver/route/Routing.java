package io.duplog.deliver.route;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.route.RoutingConfig.Rule;
import io.duplog.deliver.route.RoutingConfig.RuleFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sink's routing as it is in force: the configuration's own rules, and behind them those of the
 * included files, which are read again when they change. May be used from any thread.
 */
public final class Routing {
  /** An index, and the content of the included files when it was made. */
  private record Compiled(List<RuleFile> files, RuleIndex index) {}

  private final RoutingConfig config;
  private final List<RereadFile<RuleFile>> files = new ArrayList<>();
  private volatile Compiled compiled;
  private @Nullable RereadFile<HostTable> hostTable;

  /** Starts with the configuration's own rules; {@link #open} adds those of the included files. */
  public Routing(RoutingConfig config) {
    this.config = config;
    this.compiled = compile(List.of());
  }

  /**
   * Reads the included files and the table of hosts.
   *
   * @throws ConfigException that names file, line and rule of everything that is wrong in one of
   *     them
   */
  public Routing open() throws ConfigException {
    ConfigLoader loader = ConfigLoader.ofSystem();
    for (String file : config.include()) {
      files.add(
          new RereadFile<>(
              Path.of(file), path -> loader.load(path, RuleFile.class), System::nanoTime));
    }
    if (config.hostTable() != null) {
      hostTable = new RereadFile<>(Path.of(config.hostTable()), HostTable::read, System::nanoTime);
    }
    index();
    return this;
  }

  RoutingConfig config() {
    return config;
  }

  /** Returns the current names of addresses, or null if the configuration names no such file. */
  @Nullable HostTable hosts() {
    return hostTable == null ? null : hostTable.current();
  }

  /** Returns all rules in their order; {@link Route#rule} counts them from 1. */
  public List<Rule> rules() {
    return compiled.index.rules();
  }

  /** Returns the index of the current rules; the same object until a file has changed. */
  @SuppressWarnings("ReferenceEquality") // each reading makes a new object
  RuleIndex index() {
    Compiled known = compiled;
    for (int i = 0; i < files.size(); i++) {
      if (known.files.size() <= i || known.files.get(i) != files.get(i).current()) {
        return recompile(known);
      }
    }
    return known.index;
  }

  @SuppressWarnings("ReferenceEquality")
  private synchronized RuleIndex recompile(Compiled outdated) {
    if (compiled == outdated) { // otherwise another thread has already compiled
      compiled = compile(files.stream().map(RereadFile::current).toList());
    }
    return compiled.index;
  }

  private Compiled compile(List<RuleFile> read) {
    List<Rule> rules = new ArrayList<>(config.rules());
    read.forEach(file -> rules.addAll(file.rules()));
    return new Compiled(read, new RuleIndex(config.defaults(), rules));
  }
}
