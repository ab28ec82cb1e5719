package io.duplog.doctor.rsyslog;

import static java.util.Locale.ROOT;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;
import io.duplog.wire.Heartbeat;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether rsyslog's action that hands messages to the shim is configured as the shim needs
 * it.
 */
record ActionRules(ShimAction action, Findings findings) {
  private static final long CONFIRM_TIMEOUT_MILLIS = 10_000;

  /** Number of keep-alives that should fit into confirmTimeout, so that a late one is harmless. */
  private static final int MIN_KEEP_ALIVES = 3;

  /** Time that a transaction may take in addition to two waits for the broker. */
  private static final long TRANSFER_MILLIS = 20_000;

  /** Default of omelasticsearch's serverport. */
  private static final long DEFAULT_SERVER_PORT = 9200;

  private static final String CONFIRMATION =
      "useTransactions=\"on\" confirmMessages=\"on\" here, and omprog.mode: confirm in the shim's"
          + " file";

  static void judge(ShimAction action, Findings findings) {
    ActionRules rules = new ActionRules(action, findings);
    rules.retries();
    if (HecRules.isHec(action.action())) {
      HecRules.judge(action, findings);
    } else {
      if (action.isBulk()) {
        rules.bulk();
      } else {
        rules.mode();
        rules.marks();
        rules.keepAlive();
        rules.output();
      }
      TemplateRule.judge(action, findings);
    }
    QueueRules.judge(action, findings);
    InputRules.messageSize(action, findings);
    InputRules.reach(action, findings);
  }

  /** Checks whether rsyslog retries a failed transaction without limit. */
  private void retries() {
    String configured = action.text("action.resumeRetryCount");
    if ("-1".equals(configured)) {
      findings.ok("action.resumeRetryCount is -1: rsyslog retries without limit");
      return;
    }
    boolean once = configured == null || configured.equals("0");
    findings.problem(
        "action.resumeRetryCount is "
            + (configured == null ? "not set, and 0 is rsyslog's default" : configured)
            + action.at(),
        "rsyslog discards messages after "
            + (once ? "the first" : "the last allowed")
            + " failed transaction, whenever the broker is unavailable",
        "action.resumeRetryCount=\"-1\"");
  }

  /** Checks whether omelasticsearch sends a transaction as one request. */
  private void bulk() {
    int before = findings.list().size();
    if (!action.on("bulkmode")) {
      findings.problem(
          "bulkmode is off" + action.at(),
          "each message is a separate request in another form, which the shim reads as no message or"
              + " as two",
          "bulkmode=\"on\"");
    }
    if (action.on("compress")) {
      findings.problem(
          "compress is on" + action.at(),
          "the shim rejects each transaction, and rsyslog keeps the messages until its queue is full",
          "compress=\"off\"");
    }
    probe();
    ShimSettings shim = action.shim();
    if (shim == null) {
      findings.notChecked(
          "whether port and timeouts match the shim's, because its file was not read",
          "give --ingest-config, or compare its sections listen and omprog");
      return;
    }
    ShimSettings.Listen listen = shim.listen();
    long port = action.number("serverport", DEFAULT_SERVER_PORT);
    if (listen == null || listen.port() != port) {
      findings.problem(
          "serverport is %d, but the shim's file has %s%s"
              .formatted(
                  port,
                  listen == null ? "no section listen" : "listen.port " + listen.port(),
                  action.at()),
          "rsyslog reaches no shim, and keeps the messages until its queue is full",
          "make serverport equal to listen.port, and set listen.password in the shim's file");
    }
    long timeout = action.number("indextimeout", 0);
    long longest = 2 * shim.omprog().patience().toMillis() + TRANSFER_MILLIS;
    if (timeout == 0) {
      findings.warning(
          "indextimeout is not set" + action.at(),
          "rsyslog waits forever for a shim that hangs",
          "indextimeout=\"90000\"");
    } else if (timeout <= longest) {
      findings.problem(
          "indextimeout is %d ms, but the shim may need %d ms to answer%s"
              .formatted(timeout, longest, action.at()),
          "rsyslog resends a transaction while the shim still waits for its confirmation, which"
              + " causes duplicates",
          "indextimeout=\"90000\", or a shorter omprog.patience in the shim's file");
    }
    if (findings.list().size() == before) {
      findings.ok("bulkmode is on, and port and indextimeout match the shim's");
    }
  }

  /**
   * Checks whether rsyslog sends probes to a shim that it does not start, to show that it lives.
   */
  private void probe() {
    Statement ruleset = action.config().rulesetOf(action.action());
    String name = ruleset == null ? "" : ruleset.get("name", "");
    boolean probed =
        action.config().all("module").stream()
            .filter(each -> each.get("load", "").equalsIgnoreCase("immark"))
            .anyMatch(
                each ->
                    each.get("markMessageText", "").equals(Heartbeat.Rsyslog.PROBE)
                        && each.get("ruleset", "").equals(name)
                        && each.get("interval", "1200").matches("[1-9]|10"));
    if (!probed) {
      findings.warning(
          "module immark does not send '%s' every 10 s%s"
              .formatted(Heartbeat.Rsyslog.PROBE, action.at()),
          "an rsyslog without messages can't be distinguished from a dead one: the stream is reported"
              + " dead when only the other streams bring messages",
          "add the line module(load=\"immark\" …) of 60-duplog-bulk.conf");
    }
  }

  /** Checks whether rsyslog and the shim use the same mode of omprog. */
  private void mode() {
    ShimSettings.@Nullable Mode mode = action.mode();
    ShimSettings shim = action.shim();
    if (mode == null) {
      findings.problem(
          "confirmMessages is on without useTransactions" + action.at(),
          "the shim has no such mode: it treats each line as a message and answers nothing, so rsyslog"
              + " waits, kills it, and restarts it",
          CONFIRMATION);
      return;
    }
    if (shim == null) {
      findings.notChecked(
          "the action is set up for the shim's mode %s; the shim's actual mode is unknown, because its file was not read"
              .formatted(word(mode)),
          "give --ingest-config, or compare omprog.mode");
    } else if (shim.omprog().mode() != mode) {
      findings.problem(
          "the action is set up for the shim's mode %s, but the shim has omprog.mode %s%s"
              .formatted(word(mode), word(shim.omprog().mode()), action.at()),
          shim.omprog().mode() == ShimSettings.Mode.CONFIRM
              ? "rsyslog never reads the shim's confirmations, so it does not wait for the broker; once"
                  + " the pipe is full, the shim blocks, and this node's stream stops"
              : "rsyslog waits for answers that never come, or the shim treats marks as messages",
          CONFIRMATION);
      return;
    }
    // killUnresponsive has signalOnClose's value by default.
    String signalled = action.action().get("signalOnClose", "off");
    boolean kills = action.action().isOn("killUnresponsive", signalled);
    if (mode == ShimSettings.Mode.CONFIRM) {
      findings.ok(
          "useTransactions and confirmMessages are on, as required by the shim's mode confirm");
      if (!kills) {
        findings.warning(
            "killUnresponsive is off" + action.at(),
            "a hanging shim keeps running beside its successor, and messages that it has may be lost",
            "killUnresponsive=\"on\"");
      }
      return;
    }
    if (kills) {
      findings.warning(
          "killUnresponsive is on, but rsyslog does not wait for the shim's confirmation"
              + action.at(),
          "a shim that needs longer than closeTimeout to publish its messages is killed meanwhile",
          "killUnresponsive=\"off\", or the mode confirm");
    }
    findings.warning(
        "rsyslog does not wait for the shim's confirmation (mode %s)%s"
            .formatted(word(mode), action.at()),
        "messages that the broker has not confirmed when the shim ends are lost, unless the other"
            + " node has them",
        CONFIRMATION);
  }

  /** Checks whether rsyslog and the shim mark a transaction's begin and end by the same lines. */
  private void marks() {
    ShimSettings shim = action.shim();
    if (shim == null || !action.on("useTransactions")) {
      return; // there are no marks, or the missing file is already reported
    }
    String begin = action.action().get("beginTransactionMark", "BEGIN TRANSACTION");
    String commit = action.action().get("commitTransactionMark", "COMMIT TRANSACTION");
    ShimSettings.Omprog omprog = shim.omprog();
    if (begin.equals(omprog.beginMark()) && commit.equals(omprog.commitMark())) {
      findings.ok("the transactions' marks equal the shim's");
      return;
    }
    findings.problem(
        "the marks are '%s' and '%s' here, '%s' and '%s' in the shim's file%s"
            .formatted(begin, commit, omprog.beginMark(), omprog.commitMark(), action.at()),
        "the shim treats the marks as messages and never confirms a transaction: nothing from this"
            + " node is delivered",
        "make beginTransactionMark and commitTransactionMark here equal to omprog.begin-mark and"
            + " omprog.commit-mark there");
  }

  /** Checks whether rsyslog's confirmTimeout is long enough for the shim's keep-alives. */
  private void keepAlive() {
    ShimSettings shim = action.shim();
    if (shim == null || !action.on("confirmMessages")) {
      return;
    }
    long timeout = action.number("confirmTimeout", CONFIRM_TIMEOUT_MILLIS);
    long keepAlive = shim.omprog().keepAlive().toMillis();
    if (timeout >= MIN_KEEP_ALIVES * keepAlive) {
      findings.ok("confirmTimeout (%d ms) leaves time for keep-alives".formatted(timeout));
      return;
    }
    findings.problem(
        "confirmTimeout is %d ms, but the shim sends a keep-alive only every %d ms%s"
            .formatted(timeout, keepAlive, action.at()),
        "rsyslog kills the shim while it waits for a slow broker, and resends the batch as a new"
            + " one, which causes duplicates",
        "confirmTimeout=\"30000\", or a shorter omprog.keep-alive in the shim's file");
  }

  /** Checks whether rsyslog writes the shim's log to a file. */
  private void output() {
    String output = action.action().get("output", "");
    if (output.isEmpty()) {
      findings.warning(
          "output is not set" + action.at(),
          "rsyslog discards the shim's log, which says why it can't publish",
          "output=\"/var/log/duplog-ingest.log\"");
    } else {
      findings.ok("the shim's log goes to " + output);
    }
  }

  private static String word(ShimSettings.Mode mode) {
    return mode.name().toLowerCase(ROOT);
  }
}
