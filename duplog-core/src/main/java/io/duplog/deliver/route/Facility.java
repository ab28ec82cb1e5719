package io.duplog.deliver.route;

/** The facilities of syslog, with their numbers. */
public enum Facility {
  KERN(0),
  USER(1),
  MAIL(2),
  DAEMON(3),
  AUTH(4),
  SYSLOG(5),
  LPR(6),
  NEWS(7),
  UUCP(8),
  CRON(9),
  AUTHPRIV(10),
  FTP(11),
  NTP(12),
  AUDIT(13),
  ALERT(14),
  CLOCK(15),
  LOCAL0(16),
  LOCAL1(17),
  LOCAL2(18),
  LOCAL3(19),
  LOCAL4(20),
  LOCAL5(21),
  LOCAL6(22),
  LOCAL7(23);

  private final int code;

  Facility(int code) {
    this.code = code;
  }

  /** 0 to 23, as {@link SyslogHeader#facility} gives it. */
  int code() {
    return code;
  }
}
