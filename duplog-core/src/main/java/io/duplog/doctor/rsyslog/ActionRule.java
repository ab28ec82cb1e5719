package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import java.util.List;

/** Judges one thing about the action that starts the shim. */
interface ActionRule {
  /** In the order of the report. */
  List<ActionRule> ALL =
      List.of(
          new RetryRule(),
          new ModeRule(),
          new MarksRule(),
          new KeepAliveRule(),
          new TransactionSizeRule(),
          new QueueRule(),
          new SingleInstanceRule(),
          new OutputRule(),
          new TemplateRule(),
          new MessageSizeRule(),
          new ReachRule());

  void judge(ShimAction action, Findings findings);
}
