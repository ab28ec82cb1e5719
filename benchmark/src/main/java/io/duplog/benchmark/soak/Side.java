package io.duplog.benchmark.soak;

/** One of the two builds. A is the one that B is compared with. */
enum Side {
  A,
  B;

  Side other() {
    return this == A ? B : A;
  }
}
