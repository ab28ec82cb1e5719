package io.duplog.benchmark.soak;

/** One of the two builds that a soak compares: A is the reference, B the candidate. */
enum Side {
  A,
  B;

  Side other() {
    return this == A ? B : A;
  }
}
