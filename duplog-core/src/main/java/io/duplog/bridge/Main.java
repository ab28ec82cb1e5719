package io.duplog.bridge;

/** The program {@code duplog.jar}. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(2);
  }
}
