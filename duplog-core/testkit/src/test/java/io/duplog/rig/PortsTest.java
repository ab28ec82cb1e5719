package io.duplog.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that labs don't get the same ports. */
class PortsTest {
  @Test
  void ports_ofSeveralLabs_differ_andAreOfABlockThatNoOtherProcessCanClaim() throws Exception {
    Set<Integer> all = new HashSet<>();
    for (Ports lab : new Ports[] {new Ports(), new Ports()}) {
      for (int i = 0; i < 30; i++) {
        all.add(lab.next());
      }
    }

    int block = all.iterator().next() / 200 * 200;
    assertThat(all).hasSize(60).allMatch(port -> port > block && port < block + 200);
    assertThat(block).isBetween(18_000, 32_000);
    assertThatThrownBy(() -> new ServerSocket(block, 1, InetAddress.getLoopbackAddress()).close())
        .isInstanceOf(BindException.class);
  }
}
