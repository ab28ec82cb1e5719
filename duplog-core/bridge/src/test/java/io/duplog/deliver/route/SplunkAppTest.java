package io.duplog.deliver.route;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.parts.Deployed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Tests that the app in deploy/splunk is consistent and uses only fields that bridges send, without
 * a Splunk.
 */
class SplunkAppTest {
  private static final Path APP = Deployed.checkout().resolve("deploy/splunk/duplog");
  private static final Path INPUTS = APP.resolve("README/inputs.conf.example");

  private static final Pattern STANZA = Pattern.compile("\\[([^\\[\\]]*)]");
  private static final Pattern SETTING =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_.-]*) =(?: (.*\\S))?");
  private static final Pattern MACRO = Pattern.compile("`(\\w+)`");
  private static final Pattern TOKEN = Pattern.compile("\\$(\\w+)[.$]");

  private static List<Path> files(String pattern) throws IOException {
    try (Stream<Path> files = Files.walk(APP)) {
      return files.filter(file -> file.toString().matches(pattern)).toList();
    }
  }

  private static Map<String, Map<String, String>> conf(String name) throws IOException {
    return read(APP.resolve("default").resolve(name + ".conf"));
  }

  /**
   * Reads Splunk's .conf syntax strictly: stanzas of settings, each once; comments of whole lines.
   */
  private static Map<String, Map<String, String>> read(Path file) throws IOException {
    Map<String, Map<String, String>> stanzas = new LinkedHashMap<>();
    Map<String, String> current = null;
    for (String line : Files.readAllLines(file)) {
      Matcher stanza = STANZA.matcher(line);
      Matcher setting = SETTING.matcher(line);
      boolean once = true;
      if (stanza.matches()) {
        current = new LinkedHashMap<>();
        once = stanzas.put(stanza.group(1), current) == null;
      } else if (current != null && setting.matches()) {
        once = current.put(setting.group(1), setting.group(2)) == null;
      } else {
        assertThat(line).as(file + " holds stanzas, settings, comments").matches("\\s*|#.*");
      }
      assertThat(once).as(file + " holds it once: " + line).isTrue();
    }
    return stanzas;
  }

  /** Returns the searches of the saved searches and the dashboards, with the macros put in. */
  private static List<String> searches() throws Exception {
    List<String> searches = new ArrayList<>();
    conf("savedsearches").values().forEach(search -> searches.add(search.get("search")));
    for (Path dashboard : files(".*/views/.*\\.xml")) {
      NodeList queries = xml(dashboard).getElementsByTagName("query");
      for (int i = 0; i < queries.getLength(); i++) {
        searches.add(queries.item(i).getTextContent());
      }
    }
    Map<String, Map<String, String>> macros = conf("macros");
    searches.add("`duplog_index` | `duplog_without_resends`"); // for who needs it, as all others
    List<String> expanded = new ArrayList<>();
    for (String search : searches) {
      String text = search;
      for (Matcher m = MACRO.matcher(text); m.find(); m = MACRO.matcher(text)) {
        assertThat(macros).as(search).containsKey(m.group(1));
        text = text.replace(m.group(), macros.get(m.group(1)).get("definition"));
      }
      expanded.add(text);
    }
    return expanded;
  }

  private static Document xml(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }

  @Test
  void confFiles_areStanzasOfSettings() throws IOException {
    Map<String, Integer> settings = new LinkedHashMap<>();
    for (Path file : files(".*\\.(conf|meta)")) {
      int count = read(file).values().stream().mapToInt(Map::size).sum();
      settings.put(file.getFileName().toString(), count);
    }
    assertThat(settings).hasSize(6).containsKeys("app.conf", "default.meta");
  }

  @Test
  void version_isTheBuilds() throws IOException {
    String version =
        Files.readString(Deployed.checkout().resolve("pom.xml"))
            .replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
    assertThat(conf("app").get("id")).containsEntry("version", version);
    assertThat(conf("app").get("launcher")).containsEntry("version", version);
    assertThat(APP.resolve("app.manifest")).content().contains("\"version\": \"" + version + '"');
  }

  @Test
  void alerts_areOff_andHaveATimetable() throws IOException {
    Map<String, Map<String, String>> alerts = conf("savedsearches");
    alerts.keySet().removeIf(name -> !name.startsWith("Duplog alert: "));
    assertThat(alerts.values())
        .hasSize(5)
        .allSatisfy(
            alert ->
                assertThat(alert)
                    .containsEntry("disabled", "1")
                    .containsEntry("enableSched", "1")
                    .containsKeys("dispatch.earliest_time", "alert.suppress.period")
                    .extractingByKey("cron_schedule", as(InstanceOfAssertFactories.STRING))
                    .matches("(\\*|[0-5]?\\d-[0-5]?\\d)/[1-5]?\\d \\* \\* \\* \\*"));
  }

  @Test
  void inputs_inTheComments_areStanzasThatAreOff(@TempDir Path folder) throws IOException {
    List<String> lines =
        Files.readAllLines(INPUTS).stream()
            .map(line -> line.replaceFirst("^# (?=\\[|\\w+ = |\\w+ =$)", ""))
            .toList();
    Map<String, Map<String, String>> inputs =
        read(Files.write(folder.resolve("inputs.conf"), lines));
    assertThat(inputs)
        .containsOnlyKeys(
            "http://duplog",
            "monitor:///var/log/duplog/statements/statement-*.json",
            "monitor:///var/log/duplog/merged.log",
            "script://./bin/bridge.sh",
            "script://./bin/status.sh");
    assertThat(inputs.values())
        .allSatisfy(input -> assertThat(input).containsEntry("disabled", "true"));
    for (String script : List.of("bin/bridge.sh", "bin/status.sh")) {
      assertThat(APP.resolve(script)).isExecutable();
      assertThat(conf("props")).containsKey(inputs.get("script://./" + script).get("sourcetype"));
    }
  }

  @Test
  void xmlFiles_areWellFormed() throws Exception {
    for (Path file : files(".*\\.xml")) {
      Set<String> inputs = new TreeSet<>();
      NodeList elements = xml(file).getElementsByTagName("*");
      for (int i = 0; i < elements.getLength(); i++) {
        Element element = (Element) elements.item(i);
        inputs.add(element.getAttribute("token"));
        if (element.getTagName().equals("view") && !element.getAttribute("name").equals("search")) {
          assertThat(file.resolveSibling("../views/" + element.getAttribute("name") + ".xml"))
              .exists();
        }
      }
      assertThat(TOKEN.matcher(Files.readString(file)).results().map(token -> token.group(1)))
          .as("tokens of %s", file)
          .isSubsetOf(inputs);
    }
  }

  @Test
  void searches_areUnderstood_andUseOnlyFieldsThatAreSent() throws Exception {
    assertThat(searches())
        .hasSize(27)
        .allSatisfy(s -> assertThat(SplunkSearch.problems(s)).as(s).isEmpty());
    assertThat(conf("fields").keySet())
        .containsExactlyInAnyOrder("dedup", "stream", "digest", "resent", "escaped");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          index=main nosuch::x                                  ; nosuch
          index=main | stats count BY digest nosuch             ; nosuch
          index=main | stats dc(nosuch) AS n                    ; nosuch
          index=main | dedup digest nosuch keepempty=true       ; nosuch
          index=main | eval n=if(nosuch>1, 1, 0)                ; nosuch
          index=main | where nosuch>1                           ; nosuch
          index=main kind=bridge | stats max(nosuch) BY bridge  ; nosuch
          index=main kind=bridge | stats max(sender) BY bridge  ; sender
          index=main kind=nosuch | stats max(n) AS n            ; kind
          index=main | stats count AS                           ; missing
          index=main | eval n=if(digest, 1                      ; mismatched
          index=main | nosuchcommand digest                     ; token recognition
          """)
  void search_forAFieldThatNobodySends_orInAnotherLanguage_isFound(String search, String problem)
      throws Exception {
    assertThat(SplunkSearch.problems(search))
        .anySatisfy(found -> assertThat(found).contains(problem));
  }

  @Test
  void timePrefix_leadsToTheTime() throws IOException {
    Pattern prefix = Pattern.compile(conf("props").get("duplog:syslog").get("TIME_PREFIX"));
    for (String head :
        List.of("", "<34>", "<34>1 ", "10.1.2.3 <34>", "fe80::1 <34>1 ", "10.1.2.3 ")) {
      for (String time : List.of("2023-10-11T22:14:15Z h", "Oct 11 22:14:15 h")) {
        Matcher matcher = prefix.matcher(head + time);
        assertThat(matcher.lookingAt()).isTrue();
        assertThat(matcher.end()).as(head + time).isEqualTo(head.length());
      }
    }
  }
}
