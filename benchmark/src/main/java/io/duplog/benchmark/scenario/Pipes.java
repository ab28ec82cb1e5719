package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.PipedShim;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The ways into the streams of a lab. */
final class Pipes {
  private static final byte[] SENDER = "10.1.2.3 ".getBytes(StandardCharsets.US_ASCII);

  private Pipes() {}

  /** Standard input of a shim for each stream. */
  static List<List<OutputStream>> intoShims(Lab lab) throws LabException {
    List<List<OutputStream>> streams = new ArrayList<>();
    for (IngestNode node : lab.nodes()) {
      PipedShim shim = lab.startShim(node.stream(), PipedShim.Mode.LINES);
      streams.add(List.of(shim.input()));
    }
    return streams;
  }

  /** So many TCP connections to each port, which is a stream's. */
  static List<List<OutputStream>> overTcp(List<Integer> ports, int connections) throws IOException {
    List<List<OutputStream>> streams = new ArrayList<>();
    for (int port : ports) {
      List<OutputStream> ofNode = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        ofNode.add(socket.getOutputStream());
      }
      streams.add(ofNode);
    }
    return streams;
  }

  /** What rsyslog's template puts before a message, and a shim expects. */
  static byte[] sender() {
    return SENDER.clone();
  }
}
