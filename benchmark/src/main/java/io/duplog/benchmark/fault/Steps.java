package io.duplog.benchmark.fault;

import static java.util.Map.entry;

import com.google.common.base.Splitter;
import io.duplog.benchmark.fault.Fault.Strike;
import io.duplog.benchmark.lab.FaultyProxy;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import io.duplog.rig.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Parses the steps of the table of faults. Each step is a line of words with one space between
 * them: the first word says what is done, the others to what, for how long, or with which
 * arguments. Durations are in seconds.
 *
 * <p>A step that fails ends the fault and its lab, so no step has to be undone.
 */
final class Steps {
  /** The servers that steps can act on, by the name that steps use. */
  private static final Map<String, Function<FaultScene, List<Server>>> SERVERS =
      Map.ofEntries(
          entry("rsyslog", scene -> List.of(scene.rsyslog().server())),
          entry("shim", scene -> Stream.ofNullable(scene.node().shim().listeningServer()).toList()),
          entry("broker", scene -> List.of(scene.node().broker().server())),
          entry("redis", scene -> List.of(scene.lab.store().redis().server())),
          entry("bridge", scene -> List.of(scene.bridge().server())),
          entry("other-bridge", scene -> List.of(scene.lab.bridges().get(1).server())),
          entry("hec", scene -> List.of(scene.lab.hec().server())),
          entry("proxy", scene -> List.of(scene.lab.hec().proxy())),
          entry("master", scene -> List.of(scene.master().server())),
          entry("rsyslogs", scene -> ofNodes(scene, node -> node.rsyslog().server())),
          entry("brokers", scene -> ofNodes(scene, node -> node.broker().server())),
          entry("bridges", FaultScene::bridges));

  /** The proxies between the first bridge and the other servers that a step can name, by name. */
  private static final Map<String, Function<FaultScene, List<FaultyProxy>>> WIRES =
      Map.of(
          "broker", scene -> List.of(scene.lab.network().to(scene.node().stream())),
          "redis", scene -> List.of(scene.lab.network().to("redis")),
          "hec", scene -> List.of(scene.lab.network().to("hec")),
          "all", scene -> scene.lab.network().all());

  private static final Duration SLOWER = Duration.ofMillis(500);

  /** Action of a step on its operand, such as a duration or a list of servers. */
  @FunctionalInterface
  private interface Action<T> {
    void on(FaultScene scene, T object) throws LabException, IOException, InterruptedException;
  }

  private Steps() {}

  /**
   * Returns an action that does all steps one after the other.
   *
   * @param times how often all steps are done
   * @throws IllegalArgumentException if a line is no step
   */
  static Strike of(List<String> lines, int times) {
    List<Strike> steps = lines.stream().map(Steps::step).toList();
    return scene -> {
      for (int i = 0; i < times; i++) {
        for (Strike step : steps) {
          step.on(scene);
        }
      }
    };
  }

  /** Returns the action of one line. In the switch, dots mean all words after the first. */
  private static Strike step(String line) {
    List<String> words = Splitter.on(' ').splitToList(line);
    List<String> named = words.subList(1, words.size());
    return switch (named.isEmpty() ? line : words.get(0) + " ...") {
      // The load, and whether all that is sent from then on must be delivered.
      case "hold ..." -> with(seconds(only(named)), FaultScene::hold);
      case "hold-at-most ..." -> with(seconds(only(named)), FaultScene::holdAtMost);
      case "promise-delivery" -> scene -> scene.load.promised(true);
      case "promise-nothing" -> scene -> scene.load.promised(false);
      // Servers. To burn one ends its child processes, too; to kill it does not.
      case "kill ..." -> toServers(named, (scene, all) -> FaultScene.kill(all));
      case "burn ..." -> toServers(named, FaultScene::burn);
      case "terminate ..." -> toServers(named, (scene, all) -> FaultScene.terminate(all));
      case "start ..." -> toServers(named, FaultScene::start);
      case "freeze ..." -> toServers(named, (scene, all) -> FaultScene.signal(Signal.STOP, all));
      case "thaw ..." -> toServers(named, (scene, all) -> FaultScene.signal(Signal.CONT, all));
      case "signal-shims ..." ->
          with(
              Signal.valueOf(only(named)), (scene, signal) -> signal.send(scene.rsyslog().shims()));
      // The first ingest node.
      case "wipe-node" -> scene -> scene.node().wipe();
      case "require-disk-queue" -> FaultScene::requireDiskQueue;
      case "delete-queue" -> scene -> scene.node().queue().delete();
      case "rabbitmqctl ..." ->
          with(array(named), (scene, its) -> scene.node().broker().control(its));
      case "each-rabbitmqctl ..." -> with(array(named), FaultScene::controlEachBroker);
      case "require-waiting-letters" -> FaultScene::requireWaitingLetters;
      // The first bridge, and what it writes.
      case "exchange-names" -> scene -> scene.bridge().exchangeNames();
      case "fill-disk" -> scene -> BridgeFile.fillDisk(scene.bridge().output());
      case "free-disk" -> scene -> BridgeFile.freeDisk(scene.bridge().output());
      case "remove-file" -> scene -> Files.delete(scene.bridge().output());
      case "rename-file" -> scene -> BridgeFile.rename(scene.bridge().output());
      case "flood-status-pages" -> StatusPages::flood;
      case "require-status-pages" -> StatusPages::requireLive;
      // The network between the first bridge and the other servers.
      case "refuse ..." -> toWires(only(named), (scene, wire) -> wire.refuse());
      case "silence ..." -> toWires(only(named), (scene, wire) -> wire.silence());
      case "slow-down ..." -> toWires(only(named), (scene, wire) -> wire.delay(SLOWER));
      case "reset-in-mid-frame ..." ->
          toWires(only(named), (scene, wire) -> wire.resetInMidFrame());
      case "mend-network" -> scene -> scene.lab.network().mend();
      // Redis.
      case "redis ..." ->
          with(array(named), (scene, its) -> scene.lab.store().redis().command(its));
      case "crowd-redis ..." -> with(seconds(only(named)), FaultScene::crowdRedis);
      case "set-redis-clock ..." ->
          with(seconds(only(named)), (scene, by) -> scene.lab.store().clock().set(by));
      case "choose-master" -> FaultScene::chooseMaster;
      case "await-replacement" ->
          scene -> scene.await("replaced", () -> scene.lab.store().hasReplaced(scene.master()));
      case "await-replica" -> scene -> scene.await("a replica", scene.master()::follows);
      case "reshard-cluster" -> scene -> scene.lab.store().reshard();
      // The collector, whose faults add up until hec-well ends them.
      case "hec ..." -> with(only(named), (scene, fault) -> scene.lab.hec().fault(fault));
      case "hec-well" -> scene -> scene.lab.hec().clearFaults();
      default -> throw new IllegalArgumentException("no step of a fault: " + line);
    };
  }

  private static <T> Strike with(T object, Action<T> action) {
    return scene -> action.on(scene, object);
  }

  private static Strike toServers(List<String> names, Action<List<Server>> action) {
    List<Function<FaultScene, List<Server>>> named =
        names.stream().map(name -> known(SERVERS, name)).toList();
    return scene ->
        action.on(scene, named.stream().flatMap(each -> each.apply(scene).stream()).toList());
  }

  private static Strike toWires(String name, Action<FaultyProxy> action) {
    Function<FaultScene, List<FaultyProxy>> named = known(WIRES, name);
    return scene -> {
      for (FaultyProxy wire : named.apply(scene)) {
        action.on(scene, wire);
      }
    };
  }

  private static List<Server> ofNodes(FaultScene scene, Function<IngestNode, Server> server) {
    return scene.lab.nodes().stream().map(server).toList();
  }

  private static <T> T known(Map<String, T> all, String name) {
    T named = all.get(name);
    if (named == null) {
      throw new IllegalArgumentException(name + " is none of " + all.keySet());
    }
    return named;
  }

  private static String only(List<String> words) {
    if (words.size() != 1) {
      throw new IllegalArgumentException("one word is wanted, not " + words);
    }
    return words.get(0);
  }

  private static Duration seconds(String number) {
    return Duration.ofMillis(Math.round(1000 * Double.parseDouble(number)));
  }

  private static String[] array(List<String> words) {
    return words.toArray(String[]::new);
  }
}
