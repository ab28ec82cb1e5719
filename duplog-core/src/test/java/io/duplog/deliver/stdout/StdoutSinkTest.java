package io.duplog.deliver.stdout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.line.LineSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StdoutSinkTest {
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> broken = new ArrayList<>();

  private LineSink sink(WritableByteChannel channel) {
    return new LineSink(
        new StdoutOutput(channel), LineFormat.MESSAGE, broken::add, System::nanoTime);
  }

  @Test
  void lines_areInThePipe_whenTheyAreAccepted() throws IOException {
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel reader = pipe.source();
        LineSink sink = sink(pipe.sink())) {
      sink.deliver(deliveries.ofPlainBody("p", "one\u00ff"));
      sink.deliver(deliveries.ofPlainBody("q", "two"));
      sink.runOnce();
      assertThat(deliveries.accepted()).containsExactly("p", "q");
      ByteBuffer read = ByteBuffer.allocate(100);
      reader.read(read);
      assertThat(new String(read.array(), 0, read.position(), ISO_8859_1))
          .isEqualTo("one\u00ff\ntwo\n");
    }
  }

  @Test
  void fullDeviceBehindIt_breaksTheSink() throws IOException {
    try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
        LineSink sink = sink(full)) {
      sink.deliver(deliveries.ofPlainBody("p", "one"));
      sink.runOnce();
    }
    assertThat(broken).hasSize(1).first().asString().contains("No space left on device");
    assertThat(deliveries.accepted()).isEmpty();
  }
}
