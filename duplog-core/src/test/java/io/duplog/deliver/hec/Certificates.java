package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A private CA and what it has signed, made with the JDK's keytool. */
final class Certificates {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final Path folder;

  private Certificates(Path folder) {
    this.folder = folder;
  }

  /** Makes {@code NAME.pem} and {@code NAME.key} for all that the tests need. */
  static void make(Path folder) throws Exception {
    Certificates made = new Certificates(folder);
    made.pair("ca", "-ext", "bc=ca:true");
    made.pair("other-ca", "-ext", "bc=ca:true");
    made.signed("server", "-ext", "san=dns:localhost,ip:127.0.0.1", "-validity", "2");
    made.signed("elsewhere", "-ext", "san=dns:elsewhere.example.com", "-validity", "2");
    made.signed("expired", "-ext", "san=dns:localhost", "-startdate", "-30d", "-validity", "1");
    made.signed("client", "-validity", "2");
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(folder.resolve("keys.p12"))) {
      store.load(in, PASSWORD);
    }
    for (String name : List.of("ca", "other-ca", "server", "elsewhere", "expired", "client")) {
      Certificate own = store.getCertificate(name);
      made.write(name + ".pem", "CERTIFICATE", own.getEncoded());
      Key key = store.getKey(name, PASSWORD);
      made.write(name + ".key", "PRIVATE KEY", key.getEncoded());
    }
  }

  private void pair(String name, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of(options));
    keytool(command);
  }

  private void signed(String name, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("-signer", "ca"));
    command.addAll(List.of(options));
    pair(name, command.toArray(String[]::new));
  }

  private void keytool(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(arguments);
    command.addAll(List.of("-keystore", folder.resolve("keys.p12").toString()));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", new String(PASSWORD)));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(Files.readString(folder.resolve("keytool.log")));
    }
  }

  private void write(String name, String type, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.write(
        folder.resolve(name),
        ("-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n")
            .getBytes(US_ASCII));
  }
}
