package io.duplog.ingest.omprog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Plays an rsyslog whose programs are killed at chosen steps, and a broker that outlives them. Each
 * worker has a program of its own, and does what rsyslog does: the message that met a dead program,
 * and those behind it, go to the next one; a transaction whose COMMIT failed is sent again, a
 * message at a time.
 */
final class KilledShims {

  /** The broker's reaction to the batches that are published for a COMMIT. */
  enum Outcome {
    CONFIRMED,
    STORED,
    REFUSED
  }

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private static final int OWNER = 7;

  private final Path folder;
  private final int queues;
  private final int journalBytes;

  /** Batches that the broker has, by id. */
  final Map<String, OutgoingBatch> stored = new LinkedHashMap<>();

  /** Outcomes of the next publications; all later ones are confirmed. */
  final Deque<Outcome> outcomes = new ArrayDeque<>();

  /** Whether a program was killed after it had forgotten a transaction, and before its OK. */
  boolean killedOverItsAnswer;

  private final FakeTime time = new FakeTime();

  KilledShims(Path folder, int queues, int journalBytes) {
    this.folder = folder;
    this.queues = queues;
    this.journalBytes = journalBytes;
  }

  /** Returns what a bridge would read: each batch id once. */
  List<String> messages() {
    return stored.values().stream()
        .flatMap(batch -> FakePublisher.messagesOf(batch).stream())
        .toList();
  }

  /** Plays a worker of rsyslog. */
  final class Worker {
    private Program program;

    /** Number of steps until the program is killed; never if negative. */
    int stepsLeft = -1;

    /** Number of steps until the next program is killed; never if negative. */
    int stepsLeftOfNext = -1;

    /** Whether rsyslog goes on behind a message that fails alone, and repeats it last. */
    boolean goingOn;

    /** Number of programs that were killed. */
    int kills;

    void start() throws IOException {
      program = new Program(this);
    }

    /** Hands over these messages as a transaction, until they are confirmed. */
    void handOver(List<String> messages) throws Exception {
      List<String> left = isCommitted(messages) ? List.of() : messages;
      while (!left.isEmpty()) {
        List<String> failed = new ArrayList<>();
        for (String message : left) {
          while (!isCommitted(List.of(message))) {
            if (goingOn) {
              failed.add(message);
              break;
            }
          }
        }
        left = failed;
      }
    }

    /**
     * Hands messages over as {@link #handOver} does, to a program that is killed over it; does
     * nothing else then.
     *
     * @return whether they are confirmed all the same
     */
    boolean handOverUntilKilled(List<String> messages) throws Exception {
      start();
      return isCommitted(program, messages);
    }

    private boolean isCommitted(List<String> messages) throws Exception {
      int at = 0;
      while (true) {
        if (program == null) {
          start();
        }
        Program mine = program;
        if (mine.write(Rsyslog.BEGIN) == null) {
          continue; // the next one begins
        }
        while (at < messages.size() && mine.write(messages.get(at)) != null) {
          at++;
        }
        if (at == messages.size()) {
          String answer = mine.write(Rsyslog.COMMIT);
          return answer != null && answer.endsWith("OK\n");
        }
        // The rest, from the one that met the failure, goes to the next program.
      }
    }

    private boolean isCommitted(Program first, List<String> messages) throws Exception {
      if (first.write(Rsyslog.BEGIN) == null) {
        return false;
      }
      for (String message : messages) {
        if (first.write(message) == null) {
          return false;
        }
      }
      return String.valueOf(first.write(Rsyslog.COMMIT)).endsWith("OK\n");
    }
  }

  /** Runs one shim, from its start until it is killed. */
  private final class Program implements Publisher {
    private final Worker worker;
    private final ByteArrayOutputStream answered = new ByteArrayOutputStream();
    private final List<OutgoingBatch> outstanding = new ArrayList<>();
    private final TransactionMark mark;
    private final Path file;
    private final Rsyslog rsyslog;
    private boolean committing;

    Program(Worker worker) throws IOException {
      this.worker = worker;
      Set<Path> before = files();
      this.mark = TransactionMark.createIn(folder, "syslog-a", OWNER, journalBytes, time::millis);
      Set<Path> after = files();
      after.removeAll(before);
      this.file =
          after.stream().filter(each -> each.toString().endsWith(".transaction")).findAny().get();
      this.rsyslog = new Rsyslog(queues, this, new Answered(), mark, time);
    }

    private Set<Path> files() throws IOException {
      try (Stream<Path> all = Files.list(folder)) {
        return new HashSet<>(all.toList());
      }
    }

    /** Writes a line, and returns what was answered; null if this program is dead or dies of it. */
    String write(String line) throws Exception {
      if (worker.program != this) {
        return null;
      }
      committing = line.equals(Rsyslog.COMMIT);
      try {
        rsyslog.write(line);
        String text = answered.toString(ISO_8859_1);
        answered.reset();
        return text;
      } catch (Killed e) {
        byte[] left = Files.readAllBytes(file);
        mark.close();
        Files.write(file, left);
        worker.program = null;
        worker.kills++;
        worker.stepsLeft = worker.stepsLeftOfNext;
        worker.stepsLeftOfNext = -1;
        String text = answered.toString(ISO_8859_1);
        boolean wasAnswered = text.endsWith("\n");
        return wasAnswered ? text : null;
      }
    }

    private void step() {
      if (worker.stepsLeft == 0) {
        throw new Killed();
      }
      worker.stepsLeft--;
    }

    private final class Answered extends OutputStream {
      @Override
      public void write(int b) {
        answered.write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        if (worker.stepsLeft == 0 && committing && bytes[offset] == 'O') {
          killedOverItsAnswer = true;
        }
        step();
        answered.write(bytes, offset, length);
        step();
      }
    }

    @Override
    public int queues() {
      return queues;
    }

    @Override
    public void submit(OutgoingBatch batch) {
      step();
      outstanding.add(batch);
      if (outcomes.peek() != Outcome.REFUSED) {
        stored.putIfAbsent(batch.envelope().id(), batch);
      }
      step();
    }

    @Override
    public boolean awaitRoom(long nanos) {
      return true;
    }

    @Override
    public boolean awaitConfirmed(long nanos) {
      step();
      if (outstanding.isEmpty() || outcomes.isEmpty() || outcomes.peek() == Outcome.CONFIRMED) {
        if (!outstanding.isEmpty()) {
          outcomes.poll();
        }
        outstanding.clear();
        return true;
      }
      time.sleep(nanos);
      return false;
    }

    @Override
    public List<OutgoingBatch> withdraw() {
      step();
      outcomes.poll();
      List<OutgoingBatch> given = List.copyOf(outstanding);
      outstanding.clear();
      return given;
    }

    @Override
    public String condition() {
      return "away";
    }

    @Override
    public void close() {}
  }
}
