package io.duplog.deliver.kafka;

import com.google.common.base.Throwables;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;

/** Says what a failure of Kafka's client means for the record that failed. */
final class KafkaFailure {
  private KafkaFailure() {}

  /** Whether Kafka will never take this message, but takes others. */
  static boolean isOfMessage(Exception failure) {
    return failure instanceof RecordTooLargeException || failure instanceof InvalidRecordException;
  }

  /** Whether a failure says nothing about the message, because it would be that of all messages. */
  static boolean isOfCluster(Exception failure) {
    return failure instanceof RetriableException
        || failure instanceof AuthenticationException
        || failure instanceof AuthorizationException
        || failure instanceof InvalidTopicException;
  }

  /** Returns the innermost message that is about TLS or Kafka, because causes are more exact. */
  static String reason(Throwable failure) {
    String reason = failure.toString();
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      boolean isTold = cause instanceof KafkaException || cause instanceof SSLException;
      if (isTold && cause.getMessage() != null) {
        reason = cause.getMessage();
      }
    }
    return reason;
  }
}
