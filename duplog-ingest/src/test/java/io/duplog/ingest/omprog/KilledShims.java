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
 * Simulates an rsyslog whose shims are killed at chosen steps, and a broker that keeps running.
 * Each worker has its own program and behaves like rsyslog. A message that finds its program dead
 * goes to the next program, together with all following messages. A transaction whose COMMIT failed
 * is sent again, one message at a time.
 */
final class KilledShims {

  /** The broker's reaction to the batches of a COMMIT. */
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

  /** Batches in the broker, by id. */
  final Map<String, OutgoingBatch> storedBatches = new LinkedHashMap<>();

  /** Outcomes of the next publications. All later publications are confirmed. */
  final Deque<Outcome> outcomes = new ArrayDeque<>();

  /**
   * Whether a program was killed after it removed a transaction from its journal, and before it
   * answered with OK.
   */
  boolean killedBeforeAnswer;

  private final FakeTime time = new FakeTime();

  KilledShims(Path folder, int queues, int journalBytes) {
    this.folder = folder;
    this.queues = queues;
    this.journalBytes = journalBytes;
  }

  /** Returns the messages that a bridge would read, with each batch id once. */
  List<String> messages() {
    return storedBatches.values().stream()
        .flatMap(batch -> FakePublisher.messagesOf(batch).stream())
        .toList();
  }

  /** Simulates a worker of rsyslog. */
  final class Worker {
    private Program program;

    /** Number of steps until the program is killed; a negative number means never. */
    int remainingSteps = -1;

    /** Number of steps until the next program is killed; a negative number means never. */
    int remainingStepsOfNext = -1;

    /**
     * Whether rsyslog continues after a single message that fails, and repeats that message last.
     */
    boolean continuesAfterFailure;

    /** Number of programs that were killed. */
    int killCount;

    void start() throws IOException {
      program = new Program(this);
    }

    /** Sends messages as a transaction, and again until they are confirmed. */
    void sendUntilConfirmed(List<String> messages) throws Exception {
      List<String> remaining = isConfirmed(messages) ? List.of() : messages;
      while (!remaining.isEmpty()) {
        List<String> failed = new ArrayList<>();
        for (String message : remaining) {
          while (!isConfirmed(List.of(message))) {
            if (continuesAfterFailure) {
              failed.add(message);
              break;
            }
          }
        }
        remaining = failed;
      }
    }

    /**
     * Sends messages once, to a new program that may be killed meanwhile.
     *
     * @return whether the messages are confirmed
     */
    boolean sendToNewProgram(List<String> messages) throws Exception {
      start();
      return isConfirmed(program, messages);
    }

    private boolean isConfirmed(List<String> messages) throws Exception {
      int sentMessages = 0;
      while (true) {
        if (program == null) {
          start();
        }
        Program current = program;
        if (current.write(Rsyslog.BEGIN) == null) {
          continue; // the next program gets the BEGIN
        }
        while (sentMessages < messages.size()
            && current.write(messages.get(sentMessages)) != null) {
          sentMessages++;
        }
        if (sentMessages == messages.size()) {
          String answer = current.write(Rsyslog.COMMIT);
          return answer != null && answer.endsWith("OK\n");
        }
        // The remaining messages, from the one that found its program dead, go to the next program.
      }
    }

    private boolean isConfirmed(Program first, List<String> messages) throws Exception {
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

  /** Runs one shim from its start until it is killed. */
  private final class Program implements Publisher {
    private final Worker worker;
    private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
    private final List<OutgoingBatch> outstanding = new ArrayList<>();
    private final TransactionMark mark;
    private final Path file;
    private final Rsyslog rsyslog;
    private boolean committing;

    Program(Worker worker) throws IOException {
      this.worker = worker;
      Set<Path> filesBefore = files();
      this.mark = TransactionMark.createIn(folder, "syslog-a", OWNER, journalBytes, time::millis);
      Set<Path> newFiles = files();
      newFiles.removeAll(filesBefore);
      this.file =
          newFiles.stream()
              .filter(each -> each.toString().endsWith(".transaction"))
              .findAny()
              .get();
      this.rsyslog = new Rsyslog(queues, this, new AnswerStream(), mark, time);
    }

    private Set<Path> files() throws IOException {
      try (Stream<Path> all = Files.list(folder)) {
        return new HashSet<>(all.toList());
      }
    }

    /**
     * Writes a line and returns the answer, or null if this program is dead or is killed meanwhile.
     */
    String write(String line) throws Exception {
      if (worker.program != this) {
        return null;
      }
      committing = line.equals(Rsyslog.COMMIT);
      try {
        rsyslog.write(line);
        String text = answers.toString(ISO_8859_1);
        answers.reset();
        return text;
      } catch (Killed e) {
        byte[] remaining = Files.readAllBytes(file);
        mark.close();
        Files.write(file, remaining);
        worker.program = null;
        worker.killCount++;
        worker.remainingSteps = worker.remainingStepsOfNext;
        worker.remainingStepsOfNext = -1;
        String text = answers.toString(ISO_8859_1);
        boolean wasAnswered = text.endsWith("\n");
        return wasAnswered ? text : null;
      }
    }

    private void step() {
      if (worker.remainingSteps == 0) {
        throw new Killed();
      }
      worker.remainingSteps--;
    }

    private final class AnswerStream extends OutputStream {
      @Override
      public void write(int b) {
        answers.write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        if (worker.remainingSteps == 0 && committing && bytes[offset] == 'O') {
          killedBeforeAnswer = true;
        }
        step();
        answers.write(bytes, offset, length);
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
        storedBatches.putIfAbsent(batch.envelope().id(), batch);
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
      List<OutgoingBatch> withdrawn = List.copyOf(outstanding);
      outstanding.clear();
      return withdrawn;
    }

    @Override
    public String condition() {
      return "away";
    }

    @Override
    public void close() {}
  }
}
