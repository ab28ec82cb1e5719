package io.duplog.deliver.route;

import com.teragrep.pth_03.antlr.DPLLexer;
import com.teragrep.pth_03.antlr.DPLParser;
import com.teragrep.pth_03.shaded.org.antlr.v4.runtime.BaseErrorListener;
import com.teragrep.pth_03.shaded.org.antlr.v4.runtime.CharStreams;
import com.teragrep.pth_03.shaded.org.antlr.v4.runtime.CommonTokenStream;
import com.teragrep.pth_03.shaded.org.antlr.v4.runtime.RecognitionException;
import com.teragrep.pth_03.shaded.org.antlr.v4.runtime.Recognizer;
import com.teragrep.pth_03.shaded.org.antlr.v4.runtime.RuleContext;
import com.teragrep.pth_03.shaded.org.antlr.v4.runtime.tree.ParseTree;
import io.duplog.bridge.ReportedState;
import io.duplog.observe.Json;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import io.duplog.status.StatusEvents;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks a Splunk search for the test of the app in deploy/splunk. The parser is another project's:
 * Teragrep's, for a language that is made to be Splunk's.
 */
final class SplunkSearch {
  /**
   * Fields of every event, and those that the HEC sink sends with events that were not
   * deduplicated.
   */
  private static final Set<String> SENT =
      Set.of(
          "_time _indextime host source sourcetype index dedup stream digest resent _raw"
              .split(" ", -1));

  /** The parser's rules for a field's name. */
  private static final Set<String> FIELDS =
      Set.of("fieldType", "aggregate_fieldType", "evalFieldType", "fieldOrStringType");

  private static final Pattern INDEXED = Pattern.compile("(\\w+)::");
  private static final Pattern KIND = Pattern.compile("\\bkind=(\\w+)");

  /** Names that AS, eval, addinfo and spath make. */
  private static final Pattern MADE = Pattern.compile("\\b(?:AS |eval |output=|(?=info_))(\\w+)");

  /** The parser knows no conditions there. */
  private static final Pattern TSTATS_WHERE =
      Pattern.compile("(\\| tstats count AS \\w+) WHERE [^]|]*");

  private SplunkSearch() {}

  /** Returns what the parser does not understand, and the fields that nobody has sent or made. */
  static Set<String> problems(String search) throws Exception {
    Set<String> problems = new TreeSet<>();
    BaseErrorListener listener =
        new BaseErrorListener() {
          @Override
          public void syntaxError(
              Recognizer<?, ?> by,
              Object symbol,
              int line,
              int column,
              String message,
              RecognitionException e) {
            problems.add(message);
          }
        };
    String parsed = TSTATS_WHERE.matcher(search).replaceAll("$1 ");
    DPLLexer lexer = new DPLLexer(CharStreams.fromString(parsed));
    DPLParser parser = new DPLParser(new CommonTokenStream(lexer));
    for (Recognizer<?, ?> each : List.of(lexer, parser)) {
      each.removeErrorListeners();
      each.addErrorListener(listener);
    }
    Set<String> fields = new TreeSet<>();
    addFields(parser.root(), fields);
    INDEXED.matcher(search).results().forEach(field -> fields.add(field.group(1)));
    Matcher kind = KIND.matcher(search);
    fields.removeAll(kind.find() ? reported(kind.group(1)) : SENT);
    MADE.matcher(search).results().forEach(field -> fields.remove(field.group(1)));
    problems.addAll(fields);
    return problems;
  }

  private static void addFields(ParseTree tree, Set<String> fields) {
    if (tree instanceof RuleContext rule
        && FIELDS.contains(DPLParser.ruleNames[rule.getRuleIndex()])) {
      fields.add(tree.getText());
    }
    for (int i = 0; i < tree.getChildCount(); i++) {
      addFields(tree.getChild(i), fields);
    }
  }

  /** Returns the fields of what a bridge reports of itself. */
  private static Set<String> reported(String kind) throws Exception {
    Set<String> fields = new TreeSet<>();
    for (JsonObject event : StatusEvents.of(ReportedState.document(), Instant.EPOCH)) {
      JsonValue value = JsonValue.parse(Json.render(event));
      if (value.at("kind").text().equals(kind) && value.value() instanceof Map<?, ?> members) {
        fields.add("_time");
        members.keySet().forEach(name -> fields.add((String) name));
      }
    }
    return fields;
  }
}
