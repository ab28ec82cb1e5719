package io.duplog.doctor.rsyslog;

import static java.util.Locale.ROOT;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;
import io.duplog.wire.Heartbeat;
import org.jspecify.annotations.Nullable;

/** Checks whether the settings of rsyslog's action fit the shim. */
record ActionRules(ShimAction action, Findings findings) {
  private static final long CONFIRM_TIMEOUT_MILLIS = 10_000;

  /**
   * Number of keep-alives that should fit into confirmTimeout, so that one late one is harmless.
   */
  private static final int SIGNS = 3;

  /** What a transaction may take beside two waits for the broker. */
  private static final long ON_THE_WAY_MILLIS = 20_000;

  /** The port of omelasticsearch's serverport unless set. */
  private static final long ELASTICSEARCH = 9200;

  private static final String CONFIRMATION =
      "useTransactions=\"on\" confirmMessages=\"on\" here, and omprog.mode: confirm in the shim's"
          + " file";

  static void judge(ShimAction action, Findings findings) {
    ActionRules rules = new ActionRules(action, findings);
    rules.retries();
    if (action.isBulk()) {
      rules.bulk();
    } else {
      rules.mode();
      rules.marks();
      rules.keepAlive();
      rules.output();
    }
    QueueRules.judge(action, findings);
    TemplateRule.judge(action, findings);
    InputRules.messageSize(action, findings);
    InputRules.reach(action, findings);
  }

  /** Checks whether rsyslog retries a failed transaction without limit. */
  private void retries() {
    String said = action.text("action.resumeRetryCount");
    if ("-1".equals(said)) {
      findings.ok("action.resumeRetryCount is -1: nothing is given up");
      return;
    }
    boolean once = said == null || said.equals("0");
    findings.problem(
        "action.resumeRetryCount is "
            + (said == null ? "not set, and 0 is rsyslog's default" : said)
            + action.at(),
        "rsyslog discards messages after "
            + (once ? "the first" : "the last of so many")
            + " failed transaction, whenever the broker is away",
        "action.resumeRetryCount=\"-1\"");
  }

  /** Checks what omelasticsearch needs so that a transaction is one request. */
  private void bulk() {
    int before = findings.list().size();
    if (!action.on("bulkmode")) {
      findings.problem(
          "bulkmode is off" + action.at(),
          "each message is a request of its own in another form: the shim takes it for no message, or"
              + " for two",
          "bulkmode=\"on\"");
    }
    if (action.on("compress")) {
      findings.problem(
          "compress is on" + action.at(),
          "the shim refuses each transaction, and rsyslog keeps the messages until its queue is full",
          "compress=\"off\"");
    }
    probe();
    ShimSettings shim = action.shim();
    if (shim == null) {
      findings.notChecked(
          "whether port and time-outs fit the shim's, since its file was not read",
          "give --ingest-config, or compare its sections listen and omprog");
      return;
    }
    ShimSettings.Listen listen = shim.listen();
    long port = action.number("serverport", ELASTICSEARCH);
    if (listen == null || listen.port() != port) {
      findings.problem(
          "serverport is %d, and the shim's file has %s%s"
              .formatted(
                  port,
                  listen == null ? "no section listen" : "listen.port " + listen.port(),
                  action.at()),
          "rsyslog reaches no shim, and keeps the messages until its queue is full",
          "serverport equal to listen.port, and listen.password in the shim's file");
    }
    long timeout = action.number("indextimeout", 0);
    long longest = 2 * shim.omprog().patience().toMillis() + ON_THE_WAY_MILLIS;
    if (timeout == 0) {
      findings.warning(
          "indextimeout is not set" + action.at(),
          "rsyslog waits for ever for a shim that hangs",
          "indextimeout=\"90000\"");
    } else if (timeout <= longest) {
      findings.problem(
          "indextimeout is %d ms, and the shim may need %d ms to answer%s"
              .formatted(timeout, longest, action.at()),
          "rsyslog sends a transaction again while the shim still waits for its confirmation:"
              + " duplicates",
          "indextimeout=\"90000\", or a shorter omprog.patience in the shim's file");
    }
    if (findings.list().size() == before) {
      findings.ok("bulkmode is on, and port and indextimeout fit the shim's");
    }
  }

  /** Checks whether rsyslog shows a shim that it does not start that it lives. */
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
          "module immark brings no '%s' every 10 s%s"
              .formatted(Heartbeat.Rsyslog.PROBE, action.at()),
          "nobody can tell an rsyslog that has nothing to send from one that is dead: the stream is"
              + " called dead once the other streams bring messages and this one none",
          "the line module(load=\"immark\" …) of 60-duplog-bulk.conf");
    }
  }

  /** Checks whether rsyslog and the shim use the same mode of omprog. */
  private void mode() {
    ShimSettings.@Nullable Mode mode = action.mode();
    ShimSettings shim = action.shim();
    if (mode == null) {
      findings.problem(
          "confirmMessages is on without useTransactions" + action.at(),
          "the shim has no such mode: it takes each line for a message and answers nothing, so that"
              + " rsyslog waits, kills it, and starts it again",
          CONFIRMATION);
      return;
    }
    if (shim == null) {
      findings.notChecked(
          "the action is set up for the shim's mode %s; what the shim has is not known, since its file was not read"
              .formatted(word(mode)),
          "give --ingest-config, or compare omprog.mode");
    } else if (shim.omprog().mode() != mode) {
      findings.problem(
          "the action is set up for the shim's mode %s, and the shim has omprog.mode %s%s"
              .formatted(word(mode), word(shim.omprog().mode()), action.at()),
          shim.omprog().mode() == ShimSettings.Mode.CONFIRM
              ? "the shim answers, and rsyslog never reads the answers: it blocks when the pipe is"
                  + " full, and nothing is confirmed until then"
              : "rsyslog waits for answers that never come or takes marks for messages",
          CONFIRMATION);
      return;
    }
    // killUnresponsive has signalOnClose's value by default.
    String signalled = action.action().get("signalOnClose", "off");
    boolean kills = action.action().isOn("killUnresponsive", signalled);
    if (mode == ShimSettings.Mode.CONFIRM) {
      findings.ok("useTransactions and confirmMessages are on, as the shim's mode confirm needs");
      if (!kills) {
        findings.warning(
            "killUnresponsive is off" + action.at(),
            "a shim that hangs is left beside its successor, and what rsyslog had handed to it may be lost",
            "killUnresponsive=\"on\"");
      }
      return;
    }
    if (kills) {
      findings.warning(
          "killUnresponsive is on, and rsyslog does not wait for the shim's confirmation"
              + action.at(),
          "a shim that takes longer than closeTimeout to publish what it has is killed over it",
          "killUnresponsive=\"off\", or confirmation");
    }
    findings.warning(
        "rsyslog does not wait for the shim's confirmation (mode %s)%s"
            .formatted(word(mode), action.at()),
        "what the broker has not confirmed when the shim ends is lost on this node, unless the"
            + " other node has it",
        CONFIRMATION);
  }

  /** Checks whether rsyslog and the shim mark a transaction's begin and end by the same lines. */
  private void marks() {
    ShimSettings shim = action.shim();
    if (shim == null || !action.on("useTransactions")) {
      return; // there are no marks, or the missing file was already reported
    }
    String begin = action.action().get("beginTransactionMark", "BEGIN TRANSACTION");
    String commit = action.action().get("commitTransactionMark", "COMMIT TRANSACTION");
    ShimSettings.Omprog omprog = shim.omprog();
    if (begin.equals(omprog.beginMark()) && commit.equals(omprog.commitMark())) {
      findings.ok("the transactions' marks are those that the shim has");
      return;
    }
    findings.problem(
        "the marks are '%s' and '%s' here, '%s' and '%s' in the shim's file%s"
            .formatted(begin, commit, omprog.beginMark(), omprog.commitMark(), action.at()),
        "the shim takes the marks for messages and never confirms a transaction: nothing of this"
            + " node is delivered",
        "beginTransactionMark and commitTransactionMark here equal to omprog.begin-mark and"
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
    if (timeout >= SIGNS * keepAlive) {
      findings.ok("confirmTimeout (%d ms) leaves time for keep-alives".formatted(timeout));
      return;
    }
    findings.problem(
        "confirmTimeout is %d ms, and the shim shows that it lives every %d ms only%s"
            .formatted(timeout, keepAlive, action.at()),
        "rsyslog kills the shim while it waits for a slow broker, and sends the batch again as a"
            + " new one: duplicates",
        "confirmTimeout=\"30000\", or a shorter omprog.keep-alive in the shim's file");
  }

  /** Checks whether rsyslog writes the shim's log to a file. */
  private void output() {
    String output = action.action().get("output", "");
    if (output.isEmpty()) {
      findings.warning(
          "output is not set" + action.at(),
          "rsyslog throws away what the shim logs: nobody learns why it can't publish",
          "output=\"/var/log/duplog-ingest.log\"");
    } else {
      findings.ok("the shim's log goes to " + output);
    }
  }

  private static String word(ShimSettings.Mode mode) {
    return mode.name().toLowerCase(ROOT);
  }
}
