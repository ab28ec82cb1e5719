package io.duplog.benchmark.fault;

import static java.util.Map.entry;

import com.google.common.base.Splitter;
import io.duplog.benchmark.fault.Fault.Strike;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.proxy.FaultyProxy;
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
 * Reads the steps of a chaos fault from {@code faults.json} as actions on running servers. A step
 * is a line of words with one space between them. The first word is the action. The others are its
 * targets, duration or arguments. Durations are in seconds.
 *
 * <p>A failed step ends the fault and its lab, so no step has to be undone.
 */
final class Steps {
  /** The servers that are targets of steps, by their names in the steps. */
  private static final Map<String, Function<FaultScene, List<Server>>> SERVERS =
      Map.ofEntries(
          entry("rsyslog", scene -> List.of(scene.rsyslog().server())),
          entry("shim", scene -> Stream.ofNullable(scene.node().shim().listeningServer()).toList()),
          entry("broker", scene -> List.of(scene.node().broker().server())),
          entry("redis", scene -> List.of(scene.lab.store().redis().server())),
          entry("bridge", scene -> List.of(scene.bridge().server())),
          entry("other-bridge", scene -> List.of(scene.lab.bridges().get(1).server())),
          entry("hec", scene -> List.of(scene.lab.hec().server())),
          entry("second-hec", scene -> List.of(scene.lab.secondHec().server())),
          entry("proxy", scene -> List.of(scene.lab.hec().proxy())),
          entry("master", scene -> List.of(scene.master().server())),
          entry("rsyslogs", scene -> nodeServers(scene, node -> node.rsyslog().server())),
          entry("brokers", scene -> nodeServers(scene, node -> node.broker().server())),
          entry("bridges", FaultScene::bridges));

  /** The proxies between the first bridge and the other servers, by their names in the steps. */
  private static final Map<String, Function<FaultScene, List<FaultyProxy>>> PROXIES =
      Map.of(
          "broker", scene -> List.of(scene.lab.network().to(scene.node().stream())),
          "redis", scene -> List.of(scene.lab.network().to("redis")),
          "hec", scene -> List.of(scene.lab.network().to("hec")),
          "all", scene -> scene.lab.network().allProxies());

  private static final Duration EXTRA_DELAY = Duration.ofMillis(500);

  /** Action of a step on its operand, such as a duration or a list of servers. */
  @FunctionalInterface
  private interface Action<T> {
    void on(FaultScene scene, T object) throws LabException, IOException, InterruptedException;
  }

  private Steps() {}

  /**
   * Returns an action that runs all steps one after the other.
   *
   * @param times how often all steps are run
   * @throws IllegalArgumentException if a line is not a step
   */
  static Strike of(List<String> lines, int times) {
    List<Strike> steps = lines.stream().map(Steps::parseStep).toList();
    return scene -> {
      for (int i = 0; i < times; i++) {
        for (Strike parseStep : steps) {
          parseStep.on(scene);
        }
      }
    };
  }

  /** Returns the action of one line. In the switch, dots mean all words after the first. */
  private static Strike parseStep(String line) {
    List<String> words = Splitter.on(' ').splitToList(line);
    List<String> operands = words.subList(1, words.size());
    return switch (operands.isEmpty() ? line : words.get(0) + " ...") {
      // The load, and whether all messages sent afterwards must be delivered.
      case "hold ..." -> withOperand(seconds(requireOneWord(operands)), FaultScene::hold);
      case "hold-at-most ..." ->
          withOperand(seconds(requireOneWord(operands)), FaultScene::holdAtMost);
      case "promise-delivery" -> scene -> scene.load.setDeliveryRequired(true);
      case "promise-nothing" -> scene -> scene.load.setDeliveryRequired(false);
      // Servers. Destroying a server ends its child processes as well. Killing it does not.
      case "kill ..." -> toServers(operands, (scene, all) -> FaultScene.kill(all));
      case "burn ..." -> toServers(operands, FaultScene::burn);
      case "terminate ..." -> toServers(operands, (scene, all) -> FaultScene.terminate(all));
      case "start ..." -> toServers(operands, FaultScene::start);
      case "freeze ..." -> toServers(operands, (scene, all) -> FaultScene.signal(Signal.STOP, all));
      case "thaw ..." -> toServers(operands, (scene, all) -> FaultScene.signal(Signal.CONT, all));
      case "signal-shims ..." ->
          withOperand(
              Signal.valueOf(requireOneWord(operands)),
              (scene, signal) -> signal.send(scene.rsyslog().shims()));
      // The first ingest node.
      case "kill-client" -> scene -> scene.load.killClient();
      case "replace-certificate" -> scene -> scene.node().shim().replaceCertificate();
      case "wipe-node" -> scene -> scene.node().wipe();
      case "require-disk-queue" -> FaultScene::requireDiskQueue;
      case "delete-queue" -> scene -> scene.node().queue().delete();
      case "rabbitmqctl ..." ->
          withOperand(
              toArray(operands), (scene, arguments) -> scene.node().broker().control(arguments));
      case "each-rabbitmqctl ..." -> withOperand(toArray(operands), FaultScene::controlEachBroker);
      case "require-waiting-letters" -> FaultScene::requireWaitingLetters;
      // The first bridge, and its output.
      case "exchange-names" -> scene -> scene.bridge().exchangeNames();
      case "fill-disk" -> scene -> BridgeFile.fillDisk(scene.bridge().file());
      case "free-disk" -> scene -> BridgeFile.freeDisk(scene.bridge().file());
      case "remove-file" -> scene -> Files.delete(scene.bridge().file());
      case "rename-file" -> scene -> BridgeFile.rename(scene.bridge().file());
      case "require-missed" -> FaultScene::requireMissed;
      case "flood-status-pages" -> StatusPages::flood;
      case "require-status-pages" -> StatusPages::requireLive;
      // The network between the first bridge and the other servers.
      case "refuse ..." -> toProxies(requireOneWord(operands), (scene, proxy) -> proxy.refuse());
      case "silence ..." -> toProxies(requireOneWord(operands), (scene, proxy) -> proxy.silence());
      case "slow-down ..." ->
          toProxies(requireOneWord(operands), (scene, proxy) -> proxy.delay(EXTRA_DELAY));
      case "reset-in-mid-frame ..." ->
          toProxies(requireOneWord(operands), (scene, proxy) -> proxy.resetInMidFrame());
      case "mend-network" -> scene -> scene.lab.network().mend();
      // Redis.
      case "redis ..." ->
          withOperand(
              toArray(operands),
              (scene, arguments) -> scene.lab.store().redis().command(arguments));
      case "crowd-redis ..." ->
          withOperand(seconds(requireOneWord(operands)), FaultScene::crowdRedis);
      case "set-redis-clock ..." ->
          withOperand(
              seconds(requireOneWord(operands)), (scene, by) -> scene.lab.store().clock().set(by));
      case "choose-master" -> FaultScene::chooseMaster;
      case "await-replacement" ->
          scene -> scene.await("replaced", () -> scene.lab.store().hasReplaced(scene.master()));
      case "await-replica" -> scene -> scene.await("a replica", scene.master()::follows);
      case "reshard-cluster" -> scene -> scene.lab.store().reshard();
      // The collectors. Their faults add up until hec-well ends those of both.
      case "hec ..." ->
          withOperand(requireOneWord(operands), (scene, fault) -> scene.lab.hec().fault(fault));
      case "second-hec ..." ->
          withOperand(
              requireOneWord(operands), (scene, fault) -> scene.lab.secondHec().fault(fault));
      case "hec-well" -> FaultScene::clearCollectorFaults;
      default -> throw new IllegalArgumentException("unknown step of a fault: " + line);
    };
  }

  private static <T> Strike withOperand(T object, Action<T> action) {
    return scene -> action.on(scene, object);
  }

  private static Strike toServers(List<String> names, Action<List<Server>> action) {
    List<Function<FaultScene, List<Server>>> servers =
        names.stream().map(name -> require(SERVERS, name)).toList();
    return scene ->
        action.on(scene, servers.stream().flatMap(each -> each.apply(scene).stream()).toList());
  }

  private static Strike toProxies(String name, Action<FaultyProxy> action) {
    Function<FaultScene, List<FaultyProxy>> proxies = require(PROXIES, name);
    return scene -> {
      for (FaultyProxy proxy : proxies.apply(scene)) {
        action.on(scene, proxy);
      }
    };
  }

  private static List<Server> nodeServers(FaultScene scene, Function<IngestNode, Server> server) {
    return scene.lab.nodes().stream().map(server).toList();
  }

  private static <T> T require(Map<String, T> all, String name) {
    T value = all.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is not one of " + all.keySet());
    }
    return value;
  }

  private static String requireOneWord(List<String> words) {
    if (words.size() != 1) {
      throw new IllegalArgumentException("expected one word, got " + words);
    }
    return words.get(0);
  }

  private static Duration seconds(String number) {
    return Duration.ofMillis(Math.round(1000 * Double.parseDouble(number)));
  }

  private static String[] toArray(List<String> words) {
    return words.toArray(String[]::new);
  }
}
