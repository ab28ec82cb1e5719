package io.duplog.lag;

import java.util.List;

/**
 * The lag of every stream at one time, that is, how long its messages wait to be delivered.
 *
 * @param streams the streams, in the bridge's order
 * @param skewSeconds the largest minus the smallest lag of the connected streams, in seconds
 */
public record LagReport(List<StreamLag> streams, double skewSeconds) {

  static LagReport of(List<StreamLag> streams) {
    double[] lags =
        streams.stream()
            .filter(each -> each.state() != StreamState.DISCONNECTED)
            .mapToDouble(StreamLag::lagSeconds)
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    return new LagReport(streams, lags.length < 2 ? 0 : lags[lags.length - 1] - lags[0]);
  }
}
