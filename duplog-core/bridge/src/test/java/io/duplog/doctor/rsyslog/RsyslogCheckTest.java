package io.duplog.doctor.rsyslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.doctor.Told;
import io.duplog.parts.Deployed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which settings of rsyslog the doctor reports as problems for Duplog. */
class RsyslogCheckTest {
  private static final String NEW_VERSION = "rsyslogd  8.2612.0 (aka 2026.12) compiled with:";

  /** The deployed file without what is there to be fast. */
  private static final String RECOMMENDED =
      """
      global(workDirectory="/var/spool/rsyslog" maxMessageSize="64k")
      module(load="imudp")
      module(load="imtcp")
      module(load="omprog")
      template(name="duplog" type="string" string="%fromhost-ip:F,37:1% %rawmsg%\\n")
      ruleset(name="duplog") {
        action(type="omprog" name="duplog" template="duplog"
               binary="/usr/bin/java -jar /usr/share/duplog/duplog-ingest.jar --config SHIM"
               useTransactions="on" confirmMessages="on" killUnresponsive="on"
               reportFailures="on" output="/var/log/duplog-ingest.log"
               action.resumeRetryCount="-1" action.resumeInterval="1"
               queue.type="LinkedList" queue.filename="duplog" queue.size="100000"
               queue.highWatermark="20000" queue.lowWatermark="10000"
               queue.dequeueBatchSize="1024" queue.workerThreads="1"
               queue.maxDiskSpace="10g" queue.saveOnShutdown="on" queue.timeoutShutdown="10000")
      }
      input(type="imudp" port="514" ruleset="duplog")
      input(type="imtcp" port="514" ruleset="duplog" supportOctetCountedFraming="off" addtlFrameDelimiter="0")
      input(type="imtcp" port="601" ruleset="duplog" addtlFrameDelimiter="0")
      """;

  private static final String WORK_DIRECTORY = "global(workDirectory=\"/var/spool/rsyslog\")\n";

  @TempDir private Path folder;
  private String shim =
      "stream: syslog-a\nbroker: {user: duplog, password: secret, heartbeat: 10s}\n";

  @Test
  void recommended_hasNothingToSay() throws Exception {
    assertThat(told(RECOMMENDED)).hasSizeGreaterThan(8).allMatch(line -> line.startsWith("OK"));
  }

  @Test
  void shimThatMayNeedLonger_isNotToBeKilled() throws Exception {
    shim += "omprog: {mode: transactions}\n";

    assertThat(told(RECOMMENDED.replace("confirmMessages=\"on\"", "confirmMessages=\"off\"")))
        .anyMatch(line -> line.contains("killUnresponsive is on, but rsyslog does not wait"));
  }

  @Test
  void deployedFiles_haveNothingToSay() throws Exception {
    String existing =
        """
        global(maxMessageSize="64k")
        module(load="imudp")
        input(type="imudp" port="514")
        """;
    for (String file : List.of("60-duplog.conf", "60-duplog-existing.conf")) {
      String inputs = file.equals("60-duplog.conf") ? "" : existing;
      assertThat(told(WORK_DIRECTORY + inputs + durable(file)))
          .allMatch(line -> line.startsWith("OK"))
          .anyMatch(line -> line.contains("with every message on disk until the broker has it"));
    }
    assertThat(told(WORK_DIRECTORY + deployed("60-duplog.conf")))
        .hasSizeGreaterThan(8)
        .allMatch(line -> line.startsWith("OK"));
    shim += "listen: {password: secret}\n";
    assertThat(told(WORK_DIRECTORY + durable("60-duplog-bulk.conf")))
        .allMatch(line -> line.startsWith("OK"))
        .anyMatch(line -> line.contains("with every message on disk until the broker has it"));
    assertThat(told(WORK_DIRECTORY + deployed("60-duplog-bulk.conf")))
        .hasSizeGreaterThan(6)
        .allMatch(line -> line.startsWith("OK"));
    assertThat(told(WORK_DIRECTORY + existing + deployed("60-duplog-existing.conf")))
        .hasSizeGreaterThan(8)
        .allMatch(line -> line.startsWith("OK"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          bulkmode="on" | ~~ | PROBLEM | bulkmode is off
          indextimeout="90000" | ~~ | WARNING | indextimeout is not set
          indextimeout="90000" | indextimeout="80000" | PROBLEM | indextimeout is 80000 ms, but the shim may need 80000 ms
          serverport="516" | serverport="517" | PROBLEM | serverport is 517, but the shim's file has listen.port 516
          serverport="516" | ~~ | PROBLEM | serverport is 9200
          %rawmsg% | %rawmsg%\\n | PROBLEM | ends with a line feed, which omelasticsearch adds
          action.resumeRetryCount="-1" | ~~ | PROBLEM | 0 is rsyslog's default
          queue.filename="duplog" | ~~ | PROBLEM | in memory only
          uid="duplog" | uid="other" | PROBLEM | no action sends messages to duplog-ingest
          uid="duplog" | uid="duplog" compress="on" | PROBLEM | compress is on
          interval="10" | interval="20" | WARNING | immark does not send 'duplog probe: rsyslog lives' every 10 s
          interval="10" | ~~ | WARNING | immark does not send
          ruleset="duplog" mark | mark | WARNING | immark does not send
          rsyslog lives" | anybody there?" | WARNING | immark does not send
          """)
  void oneSettingOfTheBulkFileChanged_isSaid(
      String setting, String changed, String verdict, String words) throws Exception {
    shim += "listen: {password: secret}\n";
    String text = WORK_DIRECTORY + deployed("60-duplog-bulk.conf");
    assertThat(text).contains(setting);

    assertThat(told(text.replace(setting, changed)))
        .anyMatch(line -> line.startsWith(verdict) && line.contains(words));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          action.resumeRetryCount="-1" | ~~ | PROBLEM | 0 is rsyslog's default
          "401","403" | "401" | PROBLEM | httpretrycodes lacks 403
          httpretrycodes=["401","403","404","408","413"] | ~~ | PROBLEM | httpretrycodes lacks 401, 403, 404, 413
          template="hec" | ~~ | PROBLEM | the action has no template, so its events have no host
          fromhost-ip | fromhost-port | PROBLEM | template 'hec' has no fromhost-ip
          batch.maxsize="500" | ~~ | PROBLEM | queue.dequeueBatchSize is 500, but batch.maxsize is 100
          batch.maxbytes="8000000" | ~~ | WARNING | batch.maxbytes is 10485760
          queue.filename="hec" | ~~ | PROBLEM | in memory only
          supportOctetCountedFraming="off" | ~~ | WARNING | imtcp on port 514 reads digits
          profile="hec:splunk:event" | ~~ | PROBLEM | no action sends messages to duplog-ingest
          """)
  void collectorWithOmhttp_isJudged(String right, String changed, String severity, String what)
      throws Exception {
    String text = WORK_DIRECTORY + Deployed.text("hec-clients/rsyslog.conf");
    assertThat(told(text)).hasSizeGreaterThan(6).allMatch(line -> line.startsWith("OK"));
    assertThat(text).contains(right);

    assertThat(told(text.replace(right, changed)))
        .anyMatch(line -> line.startsWith(severity + " | ") && line.contains(what));
  }

  /** Returns the file with the queue that {@code duplog init --durable-queue} gives it. */
  private String durable(String name) throws Exception {
    Path file = Files.writeString(folder.resolve(name), deployed(name));
    String script = Deployed.path("setup/durable-queue.sed").toString();
    assertThat(new ProcessBuilder("sed", "-i", "-f", script, file.toString()).start().waitFor())
        .isZero();
    return Files.readString(file);
  }

  private static String deployed(String file) {
    return Deployed.text("rsyslog/" + file).replace("/etc/duplog/duplog-ingest.yaml", "SHIM");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          action.resumeRetryCount="-1" | action.resumeRetryCount="5" | PROBLEM | action.resumeRetryCount is 5
          action.resumeRetryCount="-1" | ~~ | PROBLEM | 0 is rsyslog's default
          confirmMessages="on" | confirmMessages="off" | PROBLEM | set up for the shim's mode transactions
          killUnresponsive="on" | ~~ | WARNING | killUnresponsive is off
          killUnresponsive="on" | killUnresponsive="off" signalOnClose="on" | WARNING | killUnresponsive is off
          useTransactions="on" | ~~ | PROBLEM | confirmMessages is on without useTransactions
          reportFailures="on" | beginTransactionMark="GO" | PROBLEM | the marks are 'GO' and 'COMMIT TRANSACTION'
          reportFailures="on" | confirmTimeout="2000" | PROBLEM | confirmTimeout is 2000 ms
          reportFailures="on" | forceSingleInstance="on" | PROBLEM | forceSingleInstance is on
          output="/var/log/duplog-ingest.log" | ~~ | WARNING | output is not set
          queue.dequeueBatchSize="1024" | ~~ | WARNING | queue.dequeueBatchSize is 128, rsyslog's default
          queue.dequeueBatchSize="1024" | queue.dequeueBatchSize="9000" | WARNING | a batch holds at most 4096
          queue.workerThreads="1" | queue.workerThreads="4" | WARNING | queue.workerThreads is 4
          queue.type="LinkedList" | ~~ | PROBLEM | no queue of its own
          queue.filename="duplog" | ~~ | PROBLEM | in memory only
          queue.maxDiskSpace="10g" | ~~ | WARNING | queue.maxDiskSpace is not set
          queue.highWatermark="20000" | ~~ | WARNING | goes to disk from 90000 messages on
          queue.saveOnShutdown="on" | ~~ | PROBLEM | queue.saveOnShutdown is off
          queue.timeoutShutdown="10000" | ~~ | WARNING | queue.timeoutShutdown is 10 ms
          workDirectory="/var/spool/rsyslog" | ~~ | PROBLEM | without global workDirectory
          maxMessageSize="64k" | ~~ | WARNING | maxMessageSize is not set
          maxMessageSize="64k" | maxMessageSize="1m" | PROBLEM | the shim cuts lines at 1MiB
          template="duplog" | ~~ | PROBLEM | names no template
          template="duplog" | template="RSYSLOG_FileFormat" | PROBLEM | rsyslog's own RSYSLOG_FileFormat
          template="duplog" | template="other" | PROBLEM | 'other' is not in the configuration
          %rawmsg%\\n | %timegenerated% %rawmsg%\\n | PROBLEM | this receiver adds: timegenerated
          %rawmsg%\\n | %$myhostname%%$NOW%%rawmsg%\\n | PROBLEM | $myhostname, $now
          %rawmsg%\\n | %fromhost-port% %uuid% %rawmsg%\\n | PROBLEM | fromhost-port, uuid
          %rawmsg%\\n | %hostname% %msg%\\n | WARNING | has parsed: hostname, msg
          %rawmsg%\\n | %pri%\\n | PROBLEM | does not contain rawmsg
          %rawmsg%\\n | %rawmsg% | PROBLEM | does not end with a line feed
          supportOctetCountedFraming="off" | ~~ | WARNING | imtcp on port 514 reads digits
          port="601" | port="1601" | WARNING | imtcp on port 1601 reads digits
          off" addtlFrameDelimiter="0" | off" | WARNING | imtcp on port 514 does not treat NUL
          off" addtlFrameDelimiter="0" | off" addtlFrameDelimiter="10" | WARNING | imtcp on port 514 does not treat NUL
          port="601" ruleset="duplog" addtlFrameDelimiter="0" | port="6514" streamDriver.mode="1" | WARNING | imtcp on port 6514 does not treat NUL
          %fromhost-ip:F,37:1% %rawmsg% | %rawmsg% | PROBLEM | %fromhost-ip% is not at the beginning of template
          module(load="imudp") | $RepeatedMsgReduction on | PROBLEM | $RepeatedMsgReduction is on
          module(load="imtcp") | module(load="imtcp" rateLimit.interval="5") | PROBLEM | rateLimit.interval 5
          duplog-ingest.jar --config SHIM | duplog-ingest.jar | NOT_CHECKED | its file was not read
          ~ ruleset="duplog"~ | ~~ | PROBLEM | no input has ruleset
          """)
  void oneThingWrong_isFound(String right, String changed, String severity, String what)
      throws Exception {
    assertThat(RECOMMENDED).contains(right);

    assertThat(told(RECOMMENDED.replace(right, changed)))
        .anySatisfy(
            line ->
                assertThat(line).startsWith(severity + " | ").contains(what).doesNotEndWith(" | "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "module(load=\"imtcp\" addtlFrameDelimiter=\"0\")",
        "module(load=\"imtcp\")\n$InputTCPServerAddtlFrameDelimiter 0"
      })
  void delimiterOfTheModule_holdsForItsInputs(String module) throws Exception {
    String text = RECOMMENDED.replace(" addtlFrameDelimiter=\"0\"", "");
    assertThat(told(text)).filteredOn(line -> line.contains("NUL")).hasSize(2);

    assertThat(told(text.replace("module(load=\"imtcp\")", module)))
        .allMatch(line -> line.startsWith("OK"));
  }

  @Test
  void noAction_isAProblem() throws Exception {
    assertThat(told("*.* /var/log/all\n"))
        .filteredOn(line -> !line.startsWith("OK"))
        .singleElement()
        .asString()
        .startsWith("PROBLEM | no action sends messages to duplog-ingest | ");
  }

  @ParameterizedTest
  @CsvSource({
    "8.2302, OK, the shim pauses instead",
    "8.2608, OK, rsyslogd is 8.2608",
    "8.2102, WARNING, older than the versions tested",
    "9.1, OK, rsyslogd is 9.1",
    "nonsense, NOT_CHECKED, rsyslogd -v says",
  })
  void version_isJudged(String version, String severity, String what) {
    String said = "rsyslogd  " + version + ".0 (aka x)";
    assertThat(Told.by(findings -> RsyslogVersion.judge(said, findings)))
        .singleElement()
        .asString()
        .startsWith(severity)
        .contains(what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8.2302 | queue.type=~LinkedList~ | OK | engine: classic. If rsyslog is killed | ends cleanly",
        "8.2606 | queue.type=~LinkedList~ | OK | engine: classic | can keep all messages there",
        "8.2608 | queue.type=~LinkedList~ | OK | engine: segmented. If rsyslog is killed | --durable-queue",
        "8.2610 | queue.type=~LinkedList~ queue.diskQueueType=~disk~ | OK | engine: classic. | killed",
        "nonsense | queue.type=~LinkedList~ | OK | engine: classic; from rsyslog 8.2608 on | killed",
        "8.2302 | queue.type=~segmentedDisk~ | PROBLEM | 8.2302 does not support | without a queue",
        "8.2504 | queue.type=~segmentedDisk~ | PROBLEM | 8.2504 does not support | this whole rsyslog stops",
        "8.2610 | queue.type=~segmentedDisk~ | WARNING | queue.size is 100000 | the queue is full",
        "9.1 | queue.type=~segmentedDisk~ | WARNING | queue.size is 100000 | the queue is full",
      })
  void engineOfTheQueue_isNamed_withWhatIsLost(
      String version, String queue, String severity, String what, String means) throws Exception {
    String text = RECOMMENDED.replace("queue.type=\"LinkedList\"", queue.replace('~', '"'));

    assertThat(told(text, version))
        .filteredOn(line -> line.contains(what))
        .singleElement()
        .asString()
        .startsWith(severity)
        .contains(means);
  }

  @Test
  void durableQueue_losesNothing_andIsRefusedBesideAClassicOne() throws Exception {
    String durable =
        RECOMMENDED
            .replace("queue.type=\"LinkedList\"", "queue.type=\"segmentedDisk\"")
            .replace("queue.size=\"100000\"", "queue.size=\"20000000\"")
            .replace("/var/spool/rsyslog", folder.toString());
    assertThat(told(durable, "8.2610"))
        .allMatch(line -> line.startsWith("OK"))
        .anyMatch(line -> line.contains("engine: segmented, with every message on disk"));

    Files.createFile(folder.resolve("duplog.qi"));

    assertThat(told(durable, "8.2610"))
        .filteredOn(line -> line.startsWith("PROBLEM"))
        .singleElement()
        .asString()
        .contains("duplog.qi of the classic engine is there", "rsyslog rejects the queue");
  }

  @Test
  void classicQueueOfAnOlderRsyslog_goesOnAsOne() throws Exception {
    String text = RECOMMENDED.replace("/var/spool/rsyslog", folder.toString());
    String goesOn = "engine: classic, since files of an older rsyslog are there";
    Files.createFile(folder.resolve("duplog.qi"));
    assertThat(told(text, "8.2610")).anyMatch(line -> line.contains(goesOn));

    Path engine = folder.resolve("duplog.da-engine");
    Files.writeString(engine, "RSYSLOG-DA-ENGINE-V1 disk\n");
    assertThat(told(text, "8.2610")).anyMatch(line -> line.contains(goesOn));
    Files.writeString(engine, "RSYSLOG-DA-ENGINE-V1 segmentedDisk\n");
    assertThat(told(text, "8.2610")).anyMatch(line -> line.contains("engine: segmented. If"));
  }

  @Test
  void missingFile_isNotChecked() {
    RsyslogCheck check = new RsyslogCheck(folder.resolve("none"), null, () -> NEW_VERSION);

    assertThat(Told.by(check::examine)).singleElement().asString().startsWith("NOT_CHECKED");
    assertThat(RsyslogCheck.isOfIngestNode(folder.resolve("none"))).isFalse();
  }

  @Test
  void sizes_areInRsyslogsUnits() {
    assertThat(ShimAction.bytes("64k", 0)).isEqualTo(65_536);
    assertThat(ShimAction.bytes("64K", 0)).isEqualTo(64_000);
    assertThat(ShimAction.bytes("8192", 0)).isEqualTo(8_192);
    assertThat(ShimAction.bytes("many", 7)).isEqualTo(7);
  }

  private List<String> told(String text) throws Exception {
    return toldBy(text, NEW_VERSION);
  }

  private List<String> told(String text, String version) throws Exception {
    return toldBy(text, "rsyslogd  " + version + ".0 (aka x)");
  }

  private List<String> toldBy(String text, String version) throws Exception {
    Path settings = Files.writeString(folder.resolve("ingest.yaml"), shim);
    Path file = folder.resolve("rsyslog.conf");
    Files.writeString(file, text.replace("SHIM", settings.toString()));
    Path named = text.contains("omelasticsearch") ? settings : null;
    return Told.by(new RsyslogCheck(file, named, () -> version)::examine);
  }
}
