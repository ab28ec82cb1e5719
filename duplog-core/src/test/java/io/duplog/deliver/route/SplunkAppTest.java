package io.duplog.deliver.route;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The app in deploy/splunk, as far as it can be tried without Splunk. */
class SplunkAppTest {
  private static final Path APP = Path.of("../deploy/splunk/duplog");
  private static final Path DASHBOARD = APP.resolve("default/data/ui/views/duplog.xml");

  /** Every event's, and what the HEC sink sends with events that were not deduplicated. */
  private static final Set<String> SENT =
      Set.of(
          "_time", "host", "source", "sourcetype", "index", "dedup", "stream", "digest", "escaped");

  private static final Pattern STANZA = Pattern.compile("\\[([^\\[\\]]*)]");
  private static final Pattern SETTING =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_.-]*) =(?: (.*\\S))?");
  private static final Pattern MACRO = Pattern.compile("`(\\w+)`");
  private static final Pattern MADE = Pattern.compile("\\bAS (\\w+)|\\beval (\\w+)=");
  private static final Pattern USED =
      Pattern.compile(
          "\\b(?:BY|dedup|fields|mvexpand|where|fields -) ((?:(?!\\w+=true)\\w+ ?)+)"
              + "|\\b(\\w+)::|\\b(?:min|max|dc|sum|last|isnull|ctime)\\((\\w+)\\)");

  private static List<Path> files(String pattern) throws IOException {
    try (Stream<Path> files = Files.walk(APP)) {
      return files.filter(file -> file.toString().matches(pattern)).toList();
    }
  }

  private static Map<String, Map<String, String>> conf(String name) throws IOException {
    return read(APP.resolve("default").resolve(name + ".conf"));
  }

  /** Splunk's .conf syntax, strictly: stanzas of settings, each once; comments of whole lines. */
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

  /** Of the saved searches and the dashboard, with the macros put in. */
  private static List<String> searches() throws Exception {
    List<String> searches = new ArrayList<>();
    conf("savedsearches").values().forEach(search -> searches.add(search.get("search")));
    NodeList queries = xml(DASHBOARD).getElementsByTagName("query");
    for (int i = 0; i < queries.getLength(); i++) {
      searches.add(queries.item(i).getTextContent());
    }
    Map<String, Map<String, String>> macros = conf("macros");
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

  /** The fields that a search uses and nobody has made. */
  private static Set<String> unknownFields(String search) {
    Set<String> known = new TreeSet<>(SENT);
    for (Matcher made = MADE.matcher(search); made.find(); ) {
      known.add(made.group(1) == null ? made.group(2) : made.group(1));
    }
    Set<String> unknown = new TreeSet<>();
    for (Matcher used = USED.matcher(search); used.find(); ) {
      for (int group = 1; group <= used.groupCount(); group++) {
        if (used.group(group) != null) {
          unknown.addAll(List.of(used.group(group).trim().split(" ", -1)));
        }
      }
    }
    unknown.removeAll(known);
    return unknown;
  }

  @Test
  void confFiles_areStanzasOfSettings() throws IOException {
    Map<String, Integer> settings = new LinkedHashMap<>();
    for (Path file : files(".*\\.(conf|meta)")) {
      int count = read(file).values().stream().mapToInt(Map::size).sum();
      settings.put(file.getFileName().toString(), count);
    }
    assertThat(settings).hasSize(7).containsKeys("app.conf", "default.meta");
    assertThat(settings).as("inputs that are on").containsEntry("inputs.conf", 0);
  }

  @Test
  void inputs_inTheComments_areStanzasThatAreOff(@TempDir Path folder) throws IOException {
    List<String> lines =
        Files.readAllLines(APP.resolve("default/inputs.conf")).stream()
            .map(line -> line.replaceFirst("^# (?=\\[|\\w+ = |\\w+ =$)", ""))
            .toList();
    Map<String, Map<String, String>> inputs =
        read(Files.write(folder.resolve("inputs.conf"), lines));
    assertThat(inputs)
        .containsOnlyKeys(
            "http://duplog", "monitor:///var/log/duplog/merged.log", "script://./bin/bridge.sh");
    assertThat(inputs.values())
        .allSatisfy(input -> assertThat(input).containsEntry("disabled", "true"));
    assertThat(APP.resolve("bin/bridge.sh")).isExecutable();
    assertThat(conf("props")).containsKey(inputs.get("script://./bin/bridge.sh").get("sourcetype"));
  }

  @Test
  void xmlFiles_areWellFormed() throws Exception {
    assertThat(files(".*\\.xml"))
        .hasSize(2)
        .allSatisfy(file -> assertThat(xml(file).getDocumentElement()).isNotNull());
  }

  @Test
  void searches_useOnlyFieldsThatTheSinkSends() throws Exception {
    assertThat(searches()).hasSize(10).allSatisfy(s -> assertThat(unknownFields(s)).isEmpty());
    assertThat(conf("fields").keySet())
        .containsExactlyInAnyOrder("dedup", "stream", "digest", "resent", "escaped");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "index=main nosuch::x",
        "index=main | stats count BY digest nosuch",
        "index=main | stats dc(nosuch) AS n",
        "index=main | dedup digest nosuch keepempty=true"
      })
  void search_forAFieldThatNobodySends_isFound(String search) {
    assertThat(unknownFields(search)).containsExactly("nosuch");
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
