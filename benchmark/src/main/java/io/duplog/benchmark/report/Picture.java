package io.duplog.benchmark.report;

import io.duplog.benchmark.measure.Latency;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Something to look at in a report. */
public sealed interface Picture {

  /** Of its file, without the ending. */
  String name();

  /** Says the unit, too. */
  String title();

  /** Writes it as SVG. */
  void draw(Path file) throws IOException;

  /** Bars side by side. */
  record Bars(String name, String title, List<BarChart.Bar> bars) implements Picture {
    public Bars {
      bars = List.copyOf(bars);
    }

    @Override
    public void draw(Path file) throws IOException {
      BarChart.write(file, title, bars);
    }
  }

  /** How many messages took how long. */
  record Histogram(String name, String title, List<Latency.Bucket> buckets) implements Picture {
    public Histogram {
      buckets = List.copyOf(buckets);
    }

    @Override
    public void draw(Path file) throws IOException {
      HistogramChart.write(file, title, buckets);
    }
  }
}
