package io.duplog.doctor.rsyslog;

import static com.google.common.collect.Iterables.getOnlyElement;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that rsyslog's configuration files are read as rsyslog itself reads them, including
 * old-style directives.
 */
class RsyslogConfigTest {
  @TempDir private Path folder;

  @Test
  void object_manyLinesQuotesAndComments_isOne() throws Exception {
    RsyslogConfig config =
        read(
            """
            # action(type="omprog" binary="commented out")
            /* and action(type="omprog")
               over lines */
            action( type = "omprog"   # why "quotes" ) here
                    BINARY="/usr/bin/java -Dx=\\"a b\\" -jar shim.jar"
                    list=["one", 'two']
                    name="a#b(c)")
            """);

    Statement action = getOnlyElement(config.all("action"));
    assertThat(action.get("binary")).isEqualTo("/usr/bin/java -Dx=\"a b\" -jar shim.jar");
    assertThat(action.get("Name")).isEqualTo("a#b(c)");
    assertThat(action.get("list")).isEqualTo("one,two");
    assertThat(action.place()).isEqualTo("rsyslog.conf:4");
    assertThat(config.troubles()).isEmpty();
  }

  @Test
  void rulesets_conditions_callsAndSelectors_keepTheirActions() throws Exception {
    RsyslogConfig config =
        read(
            """
            ruleset(name="outer" queue.type="LinkedList") {
              if $fromhost-ip == "10.0.0.1" and not ($msg contains "then {") then {
                set $!x = "a;b} action(type='omprog')";
                action(type="omprog" name="inner")
              } else if $programname == 'x' then stop
              call other
            }
            if prifilt("mail.*") then action(type="omfile" file="/x")
            foreach ($.quux in $!foo) do { action(type="omfile" file="/y") }
            *.* action(type="omfile"
                       file="/z")
            local7.* {
              action(type="omfile" file="/a")
              stop
            }
            & stop
            """);

    assertThat(config.all("action")).hasSize(5);
    Statement inner = getOnlyElement(config.actions("omprog"));
    assertThat(config.rulesetOf(inner).get("name")).isEqualTo("outer");
    assertThat(getOnlyElement(config.all("call")).get("name")).isEqualTo("other");
  }

  @Test
  void debiansConfiguration_isUnderstood() throws Exception {
    RsyslogConfig config =
        read(
            """
            module(load="imuxsock") # provides support for local system logging
            module(load="imklog")   # provides kernel logging support
            #module(load="immark")  # provides --MARK-- message capability
            $FileOwner root
            $FileCreateMode 0640
            $WorkDirectory /var/spool/rsyslog
            $IncludeConfig %s/rsyslog.d/*.conf
            *.*;auth,authpriv.none\t\t-/var/log/syslog
            auth,authpriv.*\t\t\t/var/log/auth.log
            mail.err /var/log/mail.err
            *.emerg\t\t\t\t:omusrmsg:*
            """
                .formatted(folder));

    assertThat(config.global("workDirectory").get("workDirectory")).isEqualTo("/var/spool/rsyslog");
    assertThat(config.all("module")).hasSize(2);
    assertThat(config.all("action").stream().map(action -> action.get("type")))
        .containsExactly("old-style", "old-style", "old-style", "omusrmsg");
    assertThat(config.troubles()).isEmpty();
  }

  @Test
  void oldStyle_directives_belongToTheNextAction() throws Exception {
    RsyslogConfig config =
        read(
            """
            $ModLoad imudp
            $InputUDPServerBindRuleset remote
            $UDPServerRun 514
            $MaxMessageSize 64k
            $template raw,"%fromhost-ip% %rawmsg%\\n"
            $ActionQueueType LinkedList   # asynchronous
            $ActionQueueFileName shim
            $ActionResumeRetryCount -1
            $ActionOMProgBinary /usr/bin/shim --config /etc/shim.yaml
            *.* :omprog:;raw
            & ~
            :msg, contains, "quo\\"ted" /var/log/other
            !prog
            *.info @@central:514
            """);

    Statement action = getOnlyElement(config.actions("omprog"));
    assertThat(action.parameters())
        .containsEntry("queue.type", "LinkedList")
        .containsEntry("queue.filename", "shim")
        .containsEntry("action.resumeretrycount", "-1")
        .containsEntry("binary", "/usr/bin/shim --config /etc/shim.yaml")
        .containsEntry("template", "raw");
    assertThat(config.all("action")).hasSize(4);
    assertThat(config.all("action").get(3).get("queue.type")).isNull();
    assertThat(config.global("maxMessageSize").get("maxMessageSize")).isEqualTo("64k");
    assertThat(getOnlyElement(config.all("input")).get("ruleset")).isEqualTo("remote");
    assertThat(fields(config, "raw").endsLine()).isTrue();
  }

  @Test
  void includes_areReadInTheirPlace_inOrder() throws Exception {
    Path parts = Files.createDirectory(folder.resolve("rsyslog.d"));
    Files.writeString(parts.resolve("20-b.conf"), "module(load=\"b\")");
    Files.writeString(parts.resolve("10-a.conf"), "module(load=\"a\")\ninclude(file=\"c.inc\")");
    Files.writeString(parts.resolve("c.inc"), "module(load=\"c\")");
    Files.writeString(parts.resolve(".hidden.conf"), "module(load=\"hidden\")");
    RsyslogConfig config =
        read(
            """
            include(file="%s/*.conf" mode="optional")
            module(load="last")
            $IncludeConfig /nowhere/at/all.conf
            """
                .formatted(parts));

    assertThat(config.all("module").stream().map(module -> module.get("load")))
        .containsExactly("a", "c", "b", "last");
    assertThat(getOnlyElement(config.troubles()))
        .startsWith("rsyslog.conf:3: /nowhere/at/all.conf can't be read");
  }

  @Test
  void includesInACircle_end() throws Exception {
    RsyslogConfig config = read("include(file=\"%s/rsyslog.conf\")".formatted(folder));

    assertThat(getOnlyElement(config.troubles())).contains("includes go deeper");
  }

  @Test
  void brokenText_isReadAsFarAsItGoes() throws Exception {
    RsyslogConfig config = read("} module(load=\"a\") } action(type=\"omprog\" binary=\"open");

    assertThat(getOnlyElement(config.all("module")).get("load")).isEqualTo("a");
    assertThat(getOnlyElement(config.troubles())).contains("never closed");
  }

  @Test
  void templates_namesOfProperties_areFound() throws Exception {
    RsyslogConfig config =
        read(
            """
            template(name="s" type="string" string="%fromhost-ip% %rawmsg:::drop-last-lf% %$NOW%\\n")
            template(name="l" type="list") {
              property(name="fromhost-ip") constant(value=" ")
              property(name="timegenerated" dateFormat="rfc3339")
              constant(value="\\n")
            }
            template(name="t" type="subtree" subtree="$!")
            """);

    assertThat(fields(config, "s").properties()).containsExactly("fromhost-ip", "rawmsg", "$now");
    assertThat(fields(config, "l").properties()).containsExactly("fromhost-ip", "timegenerated");
    assertThat(List.of(fields(config, "s"), fields(config, "l")))
        .allMatch(Fields::beginsWithSender)
        .allMatch(Fields::endsLine);
    assertThat(fields(config, "t")).isNull();
  }

  private static Fields fields(RsyslogConfig config, String template) {
    return Fields.of(config.template(template));
  }

  private RsyslogConfig read(String text) throws Exception {
    return RsyslogConfig.read(Files.writeString(folder.resolve("rsyslog.conf"), text));
  }
}
