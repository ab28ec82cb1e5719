package io.duplog.observe;

import com.google.common.base.CaseFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The sections of docs/runbook.md that tell an operator what to do about an alert or a bad
 * condition. Each section has the name of its alert, if there is one.
 */
public enum Runbook {
  ALL_BRIDGES_DOWN,
  BRIDGE_DOWN,
  STUCK,
  BROKER_DISCONNECTED,
  STREAM_DEAD,
  STREAM_BEHIND,
  STREAM_MISNAMED,
  QUEUES_UNREAD,
  BATCHES_TOO_NEW,
  SHIM_NOT_CONFIRMING,
  CLOCK_OFF,
  STORE_CLOCK_OFF,
  COVERAGE_LOSS,
  SENDER_SILENT,
  SENDER_GONE,
  SENDER_LOUD,
  SENDER_SLOW,
  NUMBERS_MISSING,
  SENDER_UNHEARD,
  SENDERS_UNLISTED,
  STATEMENT_LATE,
  MISMATCH,
  STORE_AWAY,
  STORE_FORGETS,
  CERTIFICATE_ENDS,
  SINK_AWAY,
  SINK_REFUSES_CONFIGURATION,
  DEAD_LETTERS,
  DEAD_LETTERS_WAIT,
  SETTINGS_DIFFER;

  /** Returns the section's heading, such as {@code DuplogStreamDead}. */
  public String title() {
    return "Duplog" + CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, name());
  }

  /** Returns a section's {@link #place}, or an empty text if there is no section. */
  public static String placeOf(@Nullable Runbook section) {
    return section == null ? "" : section.place();
  }

  /** Returns the section's place in the documents, such as {@code runbook#duplogstreamdead}. */
  public String place() {
    return "runbook#" + title().toLowerCase(Locale.ROOT);
  }
}
