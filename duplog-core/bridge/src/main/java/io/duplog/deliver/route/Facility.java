package io.duplog.deliver.route;

import java.util.List;

/** The facilities of syslog, in the order of their numbers, for routing rules. */
public enum Facility {
  KERN,
  USER,
  MAIL,
  DAEMON,
  AUTH,
  SYSLOG,
  LPR,
  NEWS,
  UUCP,
  CRON,
  AUTHPRIV,
  FTP,
  NTP,
  AUDIT,
  ALERT,
  CLOCK,
  LOCAL0,
  LOCAL1,
  LOCAL2,
  LOCAL3,
  LOCAL4,
  LOCAL5,
  LOCAL6,
  LOCAL7;

  private static final List<Facility> BY_NUMBER = List.of(values());

  /**
   * Returns the facility of a number.
   *
   * @param number 0 to 23, as {@link io.duplog.deliver.syslog.SyslogHeader#facility} gives it
   */
  static Facility of(int number) {
    return BY_NUMBER.get(number);
  }
}
