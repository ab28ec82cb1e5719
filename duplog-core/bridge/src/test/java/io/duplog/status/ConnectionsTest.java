package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.junit.jupiter.api.Test;

/**
 * Tests which connections to the status page are closed if there are too many or they are too slow.
 */
class ConnectionsTest {
  private long nanos;
  private final Connections connections = new Connections(() -> nanos);

  @Test
  void oneTooMany_closesTheOneThatHasWaitedLongest() {
    List<EndPoint> all = open(Connections.MOST_WAITING);
    assertThat(all).allMatch(EndPoint::isOpen);
    EndPoint more = open();

    assertThat(all.get(0).isOpen()).isFalse();
    assertThat(all.subList(1, all.size())).allMatch(EndPoint::isOpen);
    assertThat(more.isOpen()).isTrue();
    assertThat(connections.size()).isEqualTo(Connections.MOST_WAITING);
  }

  @Test
  void oneThatIsAnswered_outlivesThoseThatAskNothing() {
    EndPoint answered = open();
    connections.asked(answered);
    open(Connections.MOST_WAITING * 3);
    assertThat(answered.isOpen()).isTrue();
  }

  @Test
  void oneThatWasAnswered_waitsBehindTheOthers() {
    EndPoint answered = open();
    connections.asked(answered);
    List<EndPoint> others = open(Connections.MOST_WAITING - 1);
    connections.answered(answered);
    open();
    assertThat(answered.isOpen()).isTrue();
    assertThat(others.get(0).isOpen()).isFalse();
  }

  @Test
  void oneTooMany_ofThoseThatAreAnswered_closesTheOldestOfThese() {
    EndPoint waits = open();
    List<EndPoint> answered = open(Connections.MOST_ANSWERED + 1);
    answered.forEach(connections::asked);
    assertThat(answered.get(0).isOpen()).isFalse();
    assertThat(answered.subList(1, answered.size())).allMatch(EndPoint::isOpen);
    assertThat(waits.isOpen()).isTrue();
  }

  @Test
  void oneThatHasLeft_isForgotten_andDoesNotComeBack() {
    EndPoint gone = open();
    connections.left(gone);
    connections.answered(gone);
    assertThat(connections.size()).isZero();
  }

  @Test
  void slowOnes_areClosed_whenTheirPatienceEnds() {
    EndPoint asks = open();
    EndPoint reads = open();
    connections.asked(reads);
    pass(5);
    assertThat(List.of(asks, reads)).allMatch(EndPoint::isOpen);
    pass(1);
    assertThat(asks.isOpen()).isFalse();
    pass(4);
    assertThat(reads.isOpen()).isTrue();
    pass(1);
    assertThat(reads.isOpen()).isFalse();
  }

  private void pass(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
    connections.closeSlow();
  }

  private List<EndPoint> open(int count) {
    return Stream.generate(this::open).limit(count).toList();
  }

  private EndPoint open() {
    EndPoint endPoint = new ByteArrayEndPoint();
    connections.opened(endPoint);
    return endPoint;
  }
}
