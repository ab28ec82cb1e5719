package io.duplog;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the figures in a document with the tables that they come from. A comment behind each
 * figure names its table: {@code 0.54 times<!-- RESULTS.md; pair confirmed*in memory; median -->}.
 * The comment names a page, a row by its first cell, and a column. If the first cell has bold text,
 * that text alone counts. An asterisk matches anything, "or" separates rows, and "+" adds up
 * columns. {@code max}, {@code min}, {@code sum} and {@code count} are of several rows, {@code
 * half} is of one. A cell's number is the first one; for {@code max}, it is the one behind a "to"
 * if there is one. The figure is the last number before the comment, rounded to the digits that it
 * shows: "6,000" shows two or more.
 */
record Figures(Path folder) {
  private static final String NUMBER = "\\d+(?:,\\d{3})*(?:\\.\\d+)?";
  private static final Pattern TIE =
      Pattern.compile(
          "(%s)( million)?[^\\d<]*<!--([^;>]+);\\s*(?:(max|min|sum|count|half) )?([^;>]+);([^;>]+)-->"
              .formatted(NUMBER));
  private static final String UNIT =
      "(?: (?:times|million|messages|duplicates|bytes|MB|µs|ms|s|a second)\\b|/s\\b| ?%)";
  private static final Pattern UNTIED = Pattern.compile(NUMBER + UNIT + "(?![^\\d<]*<!--)");
  private static final Pattern BLOCK_END = Pattern.compile("\n\\s*\n|\n(?= *(?:- |\\| ))");
  private static final Pattern LINK = Pattern.compile("]\\([^)]*(?:RESULTS\\.md|results/)");
  private static final Pattern CELL = Pattern.compile("(%1$s)(?: to (%1$s))?.*".formatted(NUMBER));
  private static final Splitter CELLS = Splitter.on('|').trimResults();

  /** Returns the figures that differ from their table, or that name nothing in a table. */
  List<String> wrong(String document) {
    List<MatchResult> ties = TIE.matcher(document).results().toList();
    List<String> wrong = new ArrayList<>();
    if (Splitter.on("<!--").splitToList(document).size() != ties.size() + 1) {
      wrong.add("a comment ties no figure");
    }
    for (MatchResult tie : ties) {
      try {
        BigDecimal cell = cell(tie);
        if (!isRounded(tie.group(2) == null ? cell : cell.movePointLeft(6), number(tie.group(1)))) {
          wrong.add(tie.group() + " is " + cell);
        }
      } catch (IOException | IllegalArgumentException e) {
        wrong.add(tie.group() + ": " + e);
      }
    }
    return wrong;
  }

  /**
   * Returns the figures that have a unit and no comment, in paragraphs and items that link to
   * results.
   */
  static List<String> untied(String document) {
    return BLOCK_END
        .splitAsStream(document)
        .filter(LINK.asPredicate())
        .map(block -> block.replaceAll("<!--[^>]*-->", "<!--"))
        .flatMap(block -> UNTIED.matcher(block).results().map(MatchResult::group))
        .toList();
  }

  private static boolean isRounded(BigDecimal cell, BigDecimal shown) {
    int digits = Math.max(2, shown.stripTrailingZeros().precision());
    int scale = shown.scale() > 0 ? shown.scale() : Math.min(0, digits - shown.precision());
    return cell.setScale(scale, RoundingMode.HALF_UP).compareTo(shown) == 0;
  }

  private static BigDecimal number(String text) {
    return new BigDecimal(text.replace(",", ""));
  }

  private BigDecimal cell(MatchResult tie) throws IOException {
    List<BigDecimal> rows = rows(tie);
    boolean several = tie.group(4) != null && !tie.group(4).equals("half");
    checkArgument(several ? !rows.isEmpty() : rows.size() == 1, "%s such rows", rows.size());
    return switch (String.valueOf(tie.group(4))) {
      case "max" -> Collections.max(rows);
      case "min" -> Collections.min(rows);
      case "sum" -> rows.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
      case "count" -> BigDecimal.valueOf(rows.size());
      case "half" -> rows.get(0).divide(BigDecimal.valueOf(2));
      default -> rows.get(0);
    };
  }

  /** Returns the number of each row, of all tables of the page that have the columns. */
  private List<BigDecimal> rows(MatchResult tie) throws IOException {
    String names = "\\Q" + tie.group(5).strip().replace("*", "\\E.*\\Q") + "\\E";
    Pattern wanted = Pattern.compile(names.replace(" or ", "\\E|\\Q"));
    List<String> columns = Splitter.on('+').trimResults().splitToList(tie.group(6));
    List<BigDecimal> rows = new ArrayList<>();
    List<String> heads = List.of();
    for (String line : Files.readAllLines(folder.resolve(tie.group(3).strip()))) {
      List<String> cells = CELLS.splitToList(line);
      if (cells.size() == 1) {
        heads = List.of();
      } else if (heads.isEmpty()) {
        heads = cells;
      } else if (!line.startsWith("|--")
          && heads.containsAll(columns)
          && wanted.matcher(cells.get(1).replaceFirst("\\*\\*(.*?)\\*\\*.*", "$1")).matches()) {
        BigDecimal sum = BigDecimal.ZERO;
        for (String column : columns) {
          Matcher number = CELL.matcher(cells.get(heads.indexOf(column)));
          checkArgument(number.matches(), "no number: '%s'", cells);
          boolean upper = "max".equals(tie.group(4)) && number.group(2) != null;
          sum = sum.add(number(number.group(upper ? 2 : 1)));
        }
        rows.add(sum);
      }
    }
    return rows;
  }
}
