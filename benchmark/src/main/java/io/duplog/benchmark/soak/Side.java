package io.duplog.benchmark.soak;

/** One of the two builds. B is compared with A. */
enum Side {
  A,
  B;

  Side other() {
    return this == A ? B : A;
  }
}
