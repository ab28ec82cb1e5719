package io.duplog.benchmark.load;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes syslog as a mixed site sends it: both formats, several hosts and programs, short lines and
 * long ones. No two serial numbers give the same bytes. One thread only.
 */
final class SyslogText {
  private static final int PIDS = 30_000;

  /**
   * A program that logs.
   *
   * @param priority facility × 8 + severity
   * @param structured whether it speaks RFC 5424; RFC 3164 otherwise
   */
  private record Program(int priority, String name, boolean structured, String text) {}

  private static final boolean RFC3164 = false;
  private static final boolean RFC5424 = true;

  private static final List<Program> PROGRAMS =
      List.of(
          new Program(
              38,
              "sshd",
              RFC3164,
              "Accepted publickey for {user} from {address} port {port} ssh2: ED25519 SHA256:{id}"),
          new Program(
              38,
              "sshd",
              RFC3164,
              "Failed password for invalid user {user} from {address} port {port} ssh2 [preauth"
                  + " {id}]"),
          new Program(
              78, "CRON", RFC3164, "({user}) CMD (/usr/local/bin/rotate --run {id} >/dev/null)"),
          new Program(
              22,
              "postfix/smtp",
              RFC3164,
              "{id}: to=<{user}@example.org>, relay=mx{number}.example.org[{address}]:25,"
                  + " delay=0.{number}, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as {id})"),
          new Program(30, "systemd", RFC3164, "Started Session {serial} of user {user}."),
          new Program(
              4,
              "kernel",
              RFC3164,
              "[{serial}.{number}] FW DROP IN=eth0 OUT= SRC={address} DST={address} LEN=60 TOS=0x00"
                  + " TTL=54 PROTO=TCP SPT={port} DPT=443 WINDOW=64240 RES=0x00 SYN URGP=0"),
          new Program(
              134,
              "haproxy",
              RFC3164,
              "{address}:{port} https~ app/web{number} 0/0/1/{number}/{number} 200 {serial} - -"
                  + " ---- 120/118/4/2/0 0/0 {{id}} \"GET /api/v2/orders/{serial} HTTP/1.1\""),
          new Program(
              190,
              "nginx",
              RFC5424,
              "{address} - {user} \"POST /checkout/{id} HTTP/2.0\" 201 {number} \"-\""
                  + " \"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\""
                  + " rt=0.{number}"),
          new Program(
              165,
              "orders",
              RFC5424,
              "{\"level\":\"notice\",\"order\":\"{id}\",\"customer\":\"{user}\",\"city\":\"Zürich\",\"total\":\"{number},90"
                  + " €\",\"items\":{number},\"trace\":\"{id}\"}"),
          new Program(
              163,
              "billing",
              RFC5424,
              "java.sql.SQLTimeoutException: connection {serial} timed out after {number} ms; at"
                  + " com.example.billing.Ledger.post(Ledger.java:214); at"
                  + " com.example.billing.Invoice.close(Invoice.java:88); at"
                  + " com.example.web.Dispatcher.handle(Dispatcher.java:141); at"
                  + " java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136);"
                  + " at java.base/java.lang.Thread.run(Thread.java:840); request {id} from"
                  + " {address}"),
          new Program(
              86,
              "sudo",
              RFC5424,
              "{user} : TTY=pts/{number} ; PWD=/srv/{id} ; USER=root ; COMMAND=/usr/bin/apt"
                  + " update"));

  private static final List<String> HOSTS = hosts();

  private static final DateTimeFormatter RFC5424_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** By the sender's local clock; the day of the month is padded with a space. */
  private final DateTimeFormatter rfc3164Time;

  private final SplittableRandom random;

  SyslogText(ZoneId zone, SplittableRandom random) {
    this.rfc3164Time =
        DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss", Locale.ENGLISH).withZone(zone);
    this.random = random;
  }

  /** One message, in UTF-8. */
  byte[] message(long serial, Instant time) {
    Program program = PROGRAMS.get(random.nextInt(PROGRAMS.size()));
    String host = HOSTS.get(random.nextInt(HOSTS.size()));
    int pid = 1 + random.nextInt(PIDS);
    String header =
        program.structured
            ? "<%d>1 %s %s %s %d - [origin@32473 site=\"fra1\" tier=\"web\"] "
            : "<%d>%s %s %s[%d]: ";
    String stamp = (program.structured ? RFC5424_TIME : rfc3164Time).format(time);
    return (header.formatted(program.priority, stamp, host, program.name, pid)
            + Template.fill(program.text, serial, random))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> hosts() {
    return Stream.of("web", "db", "mail", "fw", "app", "cache")
        .flatMap(role -> IntStream.rangeClosed(1, 8).mapToObj(i -> role + "0" + i + ".fra1"))
        .toList();
  }
}
