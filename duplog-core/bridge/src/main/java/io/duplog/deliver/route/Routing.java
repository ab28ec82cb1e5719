package io.duplog.deliver.route;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.RereadFile;
import io.duplog.deliver.route.RoutingConfig.Rule;
import io.duplog.deliver.route.RoutingConfig.RuleFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the current routing rules, from the configuration and from rule files, which are read again
 * when they change. Thread-safe.
 */
public final class Routing {
  /**
   * The rules, with the contents of the included files that they were read from.
   *
   * @param index the rules that decide about metadata
   * @param actions null if no rule drops or masks messages
   */
  private record Compiled(
      List<RuleFile> files, RuleIndex index, MessageFilter.@Nullable Actions actions) {}

  private final RoutingConfig config;
  private final List<RereadFile<RuleFile>> files = new ArrayList<>();
  private volatile Compiled compiledRules;
  private @Nullable RereadFile<HostTable> hostTable;

  /** Starts with the rules of the configuration; {@link #open} adds those of included files. */
  public Routing(RoutingConfig config) {
    this.config = config;
    this.compiledRules = compile(List.of());
  }

  /**
   * Reads the included files and the table of hosts.
   *
   * @throws ConfigException that names file, line and rule of everything that is wrong in one of
   *     them
   */
  public Routing open() throws ConfigException {
    return open(System::nanoTime);
  }

  /** Opens the files as {@link #open()} does, with a test's clock. */
  Routing open(LongSupplier nanoClock) throws ConfigException {
    ConfigLoader loader = ConfigLoader.ofSystem();
    for (String file : config.include()) {
      files.add(
          new RereadFile<>(Path.of(file), path -> loader.load(path, RuleFile.class), nanoClock));
    }
    if (config.hostTable() != null) {
      hostTable = new RereadFile<>(Path.of(config.hostTable()), HostTable::read, nanoClock);
    }
    index();
    return this;
  }

  RoutingConfig config() {
    return config;
  }

  /** Returns the table of host names as last read, or null if none is configured. */
  @Nullable HostTable hosts() {
    return hostTable == null ? null : hostTable.current();
  }

  /** Returns all rules in order; {@link Route#rule} is the position in this list, from 1. */
  public List<Rule> rules() {
    return compiledRules.index.rules();
  }

  /** Returns the topics of Kafka that rules set, each once, in the rules' order. */
  public Set<String> topics() {
    Set<String> topics = new LinkedHashSet<>();
    for (Rule rule : rules()) {
      if (rule.set() != null && rule.set().topic() != null) {
        topics.add(rule.set().topic());
      }
    }
    return topics;
  }

  /** Returns the index of the current rules; the same object as long as no file changes. */
  RuleIndex index() {
    return current().index;
  }

  /**
   * Creates a filter with the current rules, or returns null if no rule drops or masks messages.
   */
  public @Nullable MessageFilter filter() {
    MessageFilter.Actions actions = current().actions;
    return actions == null ? null : new MessageFilter(config.timeZone(), actions);
  }

  @SuppressWarnings("ReferenceEquality") // each reading makes a new object
  private Compiled current() {
    Compiled known = compiledRules;
    for (int i = 0; i < files.size(); i++) {
      if (known.files.size() <= i || known.files.get(i) != files.get(i).current()) {
        return recompile(known);
      }
    }
    return known;
  }

  @SuppressWarnings("ReferenceEquality")
  private synchronized Compiled recompile(Compiled outdated) {
    if (compiledRules == outdated) { // otherwise another thread has already compiled
      compiledRules = compile(files.stream().map(RereadFile::current).toList());
    }
    return compiledRules;
  }

  private Compiled compile(List<RuleFile> read) {
    List<Rule> rules = new ArrayList<>(config.rules());
    read.forEach(file -> rules.addAll(file.rules()));
    return new Compiled(
        read,
        new RuleIndex(config.defaults(), rules, Rule::isForMetadata),
        MessageFilter.Actions.of(config.defaults(), rules));
  }
}
