package io.duplog.doctor;

import io.duplog.receive.QueueDepth;
import io.duplog.receive.QueueProbe;
import io.duplog.receive.QueueProbe.State;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.Topology;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Checks the queue of one stream: its settings, its messages and the bridges that read it.
 *
 * @param wantedBridges expected number of bridges: 2, or 1 if each bridge deduplicates in its own
 *     memory, or 0 before a bridge starts. With 0, checks only what a bridge needs to read the
 *     queue.
 * @param canary whether to send a message through a temporary queue
 */
public record QueueCheck(
    QueueSettings settings,
    int wantedBridges,
    @Nullable Management management,
    boolean canary,
    ClockCheck clocks)
    implements Check {
  private static final int OLDEST_MAJOR = 3;
  private static final int OLDEST_MINOR = 10;

  /** Number of waiting batches above which the bridges count as too slow for the queue. */
  private static final long MAX_READY = 1_000;

  public QueueCheck {
    clocks.expect("node " + settings.stream());
  }

  @Override
  public String subject() {
    return settings.toString();
  }

  @Override
  public void examine(Findings findings) {
    try (QueueProbe probe = QueueProbe.open(settings)) {
      int major = server(probe.server(), findings);
      State queue = probe.queue();
      queue(queue, findings);
      deadLetters(probe.deadLetterQueue(), findings);
      if (settings.share().number() == 0) {
        refused(probe.waitingLettersQueue(), findings);
        leftBehind(probe.leftBehind(), findings);
      }
      if (management != null) {
        node(management, findings);
      }
      if (!(queue instanceof State.Absent) && wantedBridges > 0) {
        policies(new PolicyRule(settings, major), findings);
      }
      if (canary) {
        canary(probe, findings);
      }
    } catch (IOException e) {
      findings.problem(
          String.valueOf(e.getMessage()),
          "bridges can't read this stream from here; messages that only this node has must wait",
          "check whether the broker runs, and the stream's host, port, user, password and tls");
    }
  }

  private static int server(QueueProbe.Server server, Findings findings) {
    String[] numbers = server.version().split("[^0-9]+", 3);
    boolean known = numbers.length >= 2 && !numbers[0].isEmpty() && !numbers[1].isEmpty();
    int major = known ? Integer.parseInt(numbers[0]) : 0;
    int minor = known ? Integer.parseInt(numbers[1]) : 0;
    String name = server.product() + " " + server.version();
    if (!server.product().equals("RabbitMQ") || !known) {
      findings.warning(
          "the broker is " + name,
          "only RabbitMQ 3.10 to 4.x was tested; confirms and limits may not work",
          "use RabbitMQ 3.10 or newer");
    } else if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
      findings.warning(
          "the broker is " + name,
          "older versions than RabbitMQ 3.10 were not tested; limits of quorum queues may be missing",
          "use RabbitMQ 3.10 or newer");
    } else {
      findings.ok("the broker is " + name);
    }
    return major;
  }

  private void queue(State state, Findings findings) {
    if (state instanceof State.AsDeclared queue) {
      consumers(queue.consumers(), findings);
      if (queue.ready() > MAX_READY) {
        findings.warning(
            queue.ready() + " batches wait in the queue",
            "the stream lags; beyond dedup.window its messages are no longer recognised as duplicates",
            "check the bridges' logs: the sink or Redis is slow or unavailable");
      } else {
        findings.ok(
            "the queue is as shim and bridge declare it, with overflow reject-publish; "
                + queue.ready()
                + " batches wait in it");
      }
    } else if (state instanceof State.Absent) {
      findings.warning(
          "queue " + settings.queue() + " does not exist",
          "neither a shim nor a bridge has used it yet, or they use other names; it stays empty"
              + " until a shim publishes to it",
          "start them, because the first one declares it; or compare the shim's broker.queue and"
              + " virtual-host with the stream's");
    } else if (state instanceof State.Different different) {
      findings.problem(
          "the queue has other arguments (" + different.reply() + ")",
          "shim and bridge reject it, so this stream stops; with another x-overflow it would"
              + " silently drop its oldest messages when it is full",
          "set queue-type on both sides to match it; if x-overflow differs, drain and delete the"
              + " queue, and let the shim declare it again");
    } else if (state instanceof State.Refused refused) {
      findings.problem(
          "the user may not use the queue (" + refused.reply() + ")",
          "bridges can't read this stream",
          "rabbitmqctl set_permissions -p %s %s '^%s' '.*' '.*'"
              .formatted(
                  settings.login().virtualHost(), settings.login().user(), settings.queue()));
    }
  }

  private void consumers(int consumers, Findings findings) {
    if (consumers == 0 && wantedBridges > 0) {
      findings.problem(
          "no bridge reads the queue",
          "this stream is not merged: messages that only this node has are missing, and its queue grows",
          "start the bridges; if they run, give each one all streams");
    } else if (consumers < wantedBridges) {
      findings.warning(
          "only one bridge reads the queue",
          "nothing is delivered while that bridge is down",
          "run a second bridge on another host");
    } else {
      findings.ok(consumers + (consumers == 1 ? " bridge reads" : " bridges read") + " the queue");
    }
  }

  private void deadLetters(State state, Findings findings) {
    String name = Topology.deadLetterQueue(settings.queue());
    if (state instanceof State.AsDeclared queue) {
      if (queue.ready() > 0) {
        findings.warning(
            queue.ready() + " dead letters wait in " + name,
            "these messages were not delivered, and stay there until somebody acts",
            "run duplog dead-letter list, then replay what was rejected by mistake");
      } else {
        findings.ok("the dead-letter queue exists and is empty");
      }
    } else if (state instanceof State.Absent) {
      if (wantedBridges > 0) {
        findings.warning(
            "dead-letter queue " + name + " does not exist",
            "no bridge has used it yet; each one declares it when it starts",
            "start the bridges");
      }
    } else {
      findings.problem(
          "the dead-letter queue can't be used (" + state + ")",
          "bridges don't read this stream, because they could not store undeliverable messages",
          "delete " + name + " once it is empty, and allow the user to declare it");
    }
  }

  private void refused(State state, Findings findings) {
    if (state instanceof State.AsDeclared queue && queue.ready() > 0) {
      findings.warning(
          "%d refused messages wait in %s"
              .formatted(queue.ready(), Topology.waitingLettersQueue(settings.queue())),
          "the dead-letter queue or the second broker had no room for them; a bridge moves them when"
              + " there is room, but the stream stops when this queue is full, too",
          "run duplog dead-letter list; then replay dead letters, purge the dead-letter queue on every"
              + " node (rabbitmqctl purge_queue), or raise max-length-bytes");
    }
  }

  private static void leftBehind(QueueDepth.@Nullable LeftBehind left, Findings findings) {
    if (left != null) {
      findings.problem(left.toString(), QueueDepth.LeftBehind.CONSEQUENCE, left.remedy());
    }
  }

  private void node(Management plugin, Findings findings) {
    try {
      Management.Node node = plugin.node();
      if (!node.alarms().isEmpty()) {
        findings.problem(
            "the broker has raised " + String.join(", ", node.alarms()),
            "it accepts nothing from shims; rsyslog's queues fill up",
            "give it more memory or disk, or let the bridges drain it");
      } else {
        findings.ok("the broker has no alarm for memory or disk");
      }
      if (node.ahead() != null) {
        clocks.record("node " + settings.stream(), node.ahead());
      }
    } catch (IOException e) {
      findings.notChecked("alarms and clock: " + e.getMessage(), "check --management");
    }
  }

  private void policies(PolicyRule policy, Findings findings) {
    if (management == null) {
      policy.reportUnknown(findings);
      return;
    }
    try {
      policy.judge(management.queue(settings.login().virtualHost(), settings.queue()), findings);
    } catch (IOException e) {
      findings.notChecked("policies: " + e.getMessage(), "check --management");
    }
  }

  private static void canary(QueueProbe probe, Findings findings) throws IOException {
    try {
      QueueProbe.Canary canary = probe.canary();
      findings.ok(
          "canary through a temporary queue: confirmed after %s, read back after %s"
              .formatted(Times.millis(canary.confirmedNanos()), Times.millis(canary.readNanos())));
    } catch (IOException e) {
      findings.problem(
          "canary through a temporary queue: " + e.getMessage(),
          "the shim may have the same problem, so that messages wait in rsyslog",
          "free the broker's resources; or allow the user to configure queues that begin with '"
              + "duplog'; or leave the canary out with --no-canary");
    }
  }
}
