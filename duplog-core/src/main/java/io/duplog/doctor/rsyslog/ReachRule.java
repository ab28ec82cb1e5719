package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import java.util.stream.Stream;

/** Whether any input leads to the action. */
final class ReachRule implements ActionRule {
  @Override
  public void judge(ShimAction action, Findings findings) {
    RsyslogConfig config = action.config();
    Statement ruleset = config.rulesetOf(action.action());
    if (ruleset == null) {
      return; // the default ruleset: every input without one of its own leads there
    }
    String name = ruleset.get("name", "");
    boolean reached =
        Stream.concat(config.inputs().stream(), config.all("global").stream())
                .anyMatch(
                    each ->
                        name.equals(each.get("ruleset")) || name.equals(each.get("defaultruleset")))
            || config.all("call").stream().anyMatch(call -> name.equals(call.get("name")));
    if (!reached) {
      findings.problem(
          "no input has ruleset \"" + name + "\", in which the action stands" + action.place(),
          "this node's stream stays empty",
          "ruleset=\"" + name + "\" on the inputs that senders use");
    }
  }
}
