package io.duplog.benchmark.plan;

import com.google.common.collect.ImmutableList;
import java.util.Locale;

/** A kind of process on a message's way, and what its processor time depends on. */
enum Station {
  RSYSLOG(Term.COPY, Term.COPY_BYTE),
  SHIM(Term.COPY, Term.COPY_BYTE),
  BROKER(Term.COPY, Term.COPY_BYTE),
  /** Sees digests only, whose length is always the same. */
  REDIS(Term.COPY, Term.UNMATCHED),
  /** Reads every copy, and writes every message once. */
  BRIDGE(Term.COPY, Term.COPY_BYTE, Term.MESSAGE, Term.MESSAGE_BYTE),
  /** The stand-in for Splunk. Not planned, but on the machine where a run was recorded. */
  SINK(Term.MESSAGE, Term.MESSAGE_BYTE),
  /** Not planned either. */
  GENERATOR(Term.COPY, Term.COPY_BYTE);

  private final ImmutableList<Term> terms;

  Station(Term... terms) {
    this.terms = ImmutableList.copyOf(terms);
  }

  ImmutableList<Term> terms() {
    return terms;
  }

  /** As results call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
