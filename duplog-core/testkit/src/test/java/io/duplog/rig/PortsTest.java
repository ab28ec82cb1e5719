package io.duplog.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that test labs that run at the same time never get the same port. */
class PortsTest {
  @Test
  void next_severalLabs_givesDistinctPortsOfReservedBlock() throws Exception {
    Set<Integer> allPorts = new HashSet<>();
    for (Ports lab : new Ports[] {new Ports(), new Ports()}) {
      for (int i = 0; i < 30; i++) {
        allPorts.add(lab.next());
      }
    }

    int block = allPorts.iterator().next() / 200 * 200;
    assertThat(allPorts).hasSize(60).allMatch(port -> port > block && port < block + 200);
    assertThat(block).isBetween(18_000, 32_000);
    assertThatThrownBy(() -> new ServerSocket(block, 1, InetAddress.getLoopbackAddress()).close())
        .isInstanceOf(BindException.class);
  }
}
