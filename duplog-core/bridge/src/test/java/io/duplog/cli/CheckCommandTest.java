package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.route.SenderZone;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests the lines of the command that need no server. */
class CheckCommandTest {

  @Test
  void zone_isNamed_andWhatIsDoubtfulAboutItIsAWarning() {
    CheckCommand check = new CheckCommand();
    StringWriter out = new StringWriter();
    new CommandLine(check).setOut(new PrintWriter(out, true));

    check.tellZone(new SenderZone(ZoneId.of("Europe/Berlin"), null));
    assertThat(out.toString().lines())
        .containsExactly("ok      zone of times that name none: Europe/Berlin");
    check.tellZone(new SenderZone(ZoneId.of("+01:00"), "no summer time"));
    assertThat(out.toString().lines().skip(1))
        .containsExactly("ok      zone of times that name none: +01:00", "warning no summer time");
  }
}
