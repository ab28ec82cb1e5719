package io.duplog.benchmark.plan;

import io.duplog.config.Durations;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Seconds from a duration of the command line, in the form of the configuration. */
final class Span implements ITypeConverter<Double> {
  @Override
  public Double convert(String text) {
    try {
      return Durations.parse(text).toMillis() / 1000.0;
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "' " + e.getMessage());
    }
  }
}
