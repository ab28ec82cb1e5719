package io.duplog.benchmark.plan;

import java.util.Arrays;

/**
 * Least squares of relative errors, with no coefficient below zero: a byte can't give time back.
 * There are few terms, so that every choice of them is tried.
 */
final class Fit {
  private static final double NONE = 1e-12;

  /** A choice with more terms has to be better by more than rounding. */
  private static final double BETTER = 1 - 1e-9;

  private Fit() {}

  /**
   * The coefficients that fit best.
   *
   * @param rows for each observation the value of every term
   * @param observed all positive
   * @return a coefficient for each term; zero for terms that nothing is left to
   */
  static double[] of(double[][] rows, double[] observed) {
    int terms = rows[0].length;
    double[] best = new double[terms];
    double least = error(rows, observed, best);
    for (int size = 1; size <= terms; size++) {
      for (int chosen = 1; chosen < 1 << terms; chosen++) {
        if (Integer.bitCount(chosen) == size) {
          double[] solution = solve(rows, observed, chosen);
          double error = error(rows, observed, solution);
          if (Arrays.stream(solution).allMatch(each -> each >= 0) && error < least * BETTER) {
            least = error;
            best = solution;
          }
        }
      }
    }
    return best;
  }

  static double value(double[] row, double[] coefficients) {
    double sum = 0;
    for (int i = 0; i < row.length; i++) {
      sum += row[i] * coefficients[i];
    }
    return sum;
  }

  /** Sum of the squares of relative errors. */
  private static double error(double[][] rows, double[] observed, double[] coefficients) {
    double sum = 0;
    for (int i = 0; i < rows.length; i++) {
      double relative = value(rows[i], coefficients) / observed[i] - 1;
      sum += relative * relative;
    }
    return sum;
  }

  /** The normal equations of the chosen terms; all NaN where they have no single solution. */
  private static double[] solve(double[][] rows, double[] observed, int chosen) {
    int terms = rows[0].length;
    int[] places = new int[Integer.bitCount(chosen)];
    for (int i = 0, place = 0; i < terms; i++) {
      if (((chosen >> i) & 1) == 1) {
        places[place] = i;
        place++;
      }
    }
    double[][] equations = new double[places.length][places.length + 1];
    for (int i = 0; i < rows.length; i++) {
      for (int row = 0; row < places.length; row++) {
        double weighted = rows[i][places[row]] / observed[i];
        for (int column = 0; column < places.length; column++) {
          equations[row][column] += weighted * rows[i][places[column]] / observed[i];
        }
        equations[row][places.length] += weighted;
      }
    }
    double[] solution = new double[terms];
    if (!eliminate(equations)) {
      Arrays.fill(solution, Double.NaN);
      return solution;
    }
    for (int row = 0; row < places.length; row++) {
      solution[places[row]] = equations[row][places.length] / equations[row][row];
    }
    return solution;
  }

  /** Gauss and Jordan, in place; false where a term depends on those before it. */
  private static boolean eliminate(double[][] equations) {
    int size = equations.length;
    double[] scale = new double[size];
    for (int row = 0; row < size; row++) {
      scale[row] = equations[row][row];
    }
    for (int column = 0; column < size; column++) {
      // Symmetric and not negative: the diagonal serves as pivot, and tells a dependent term.
      if (equations[column][column] <= NONE * scale[column]) {
        return false;
      }
      for (int row = 0; row < size; row++) {
        if (row != column) {
          double factor = equations[row][column] / equations[column][column];
          for (int i = column; i <= size; i++) {
            equations[row][i] -= factor * equations[column][i];
          }
        }
      }
    }
    return true;
  }
}
