package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Says in an operator's words why a broker did not do what it was asked. */
final class BrokerFailure {
  // queue.declare, by AMQP 0-9-1's own numbers
  private static final int QUEUE_CLASS = 50;
  private static final int DECLARE_METHOD = 10;

  /** By IANA: who is spoken to in plain text there hangs up. */
  private static final int TLS_PORT = 5671;

  private BrokerFailure() {}

  /** One clause: what is wrong, and what can be done about it where that is known. */
  static String describe(QueueSettings settings, Throwable failure) {
    if (failure instanceof AuthenticationFailureException
        || failure instanceof PossibleAuthenticationFailureException) {
      return settings.broker() + " refused user '" + settings.user() + "': check user and password";
    }
    ShutdownSignalException shutdown = shutdownIn(failure);
    if (shutdown != null) {
      if (isRefusedDeclaration(shutdown.getReason())) {
        return settings
            + " exists with other arguments ("
            + reply(shutdown.getReason())
            + "): set queue-type to match it";
      }
      String reply = reply(shutdown.getReason());
      return switch (replyCode(shutdown.getReason())) {
        case AMQP.ACCESS_REFUSED ->
            settings + " refused (" + reply + "): give user '" + settings.user() + "' permission";
        case AMQP.NOT_ALLOWED -> settings.broker() + " refused (" + reply + "): check virtual-host";
        default -> settings + " closed (" + reply + ")";
      };
    }
    String reason = settings.tls() == null ? null : settings.tls().reason(failure);
    return reason == null
        ? settings.broker() + " unreachable (" + cause(failure) + hint(settings, failure) + ")"
        : settings.broker() + " unreachable by TLS: " + reason;
  }

  /** Whether the broker is away for whatever cause, rather than there and not to be had. */
  static boolean isAbsence(QueueSettings settings, Throwable failure) {
    if (failure instanceof AuthenticationFailureException
        || failure instanceof PossibleAuthenticationFailureException) {
      return false;
    }
    ShutdownSignalException shutdown = shutdownIn(failure);
    return shutdown == null
        ? settings.tls() == null || settings.tls().reason(failure) == null
        : replyCode(shutdown.getReason()) == AMQP.CONNECTION_FORCED;
  }

  /** What else may be behind a connection that came about and then broke. */
  private static String hint(QueueSettings settings, Throwable failure) {
    boolean garbled = false;
    boolean closed = false;
    for (Throwable each = failure; each != null; each = each.getCause()) {
      garbled |= each instanceof MalformedFrameException;
      closed |= each instanceof EOFException || each instanceof SocketException;
      if (each instanceof ConnectException) {
        return "";
      }
    }
    if (settings.tls() != null) {
      return closed ? settings.tls().hint() : "";
    }
    return garbled || (closed && settings.port() == TLS_PORT)
        ? "; if this is its port for TLS, add a section tls"
        : "";
  }

  private static @Nullable ShutdownSignalException shutdownIn(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof ShutdownSignalException shutdown && shutdown.getReason() != null) {
        return shutdown;
      }
    }
    return null;
  }

  private static boolean isRefusedDeclaration(Method reason) {
    return reason instanceof AMQP.Channel.Close close
        && close.getReplyCode() == AMQP.PRECONDITION_FAILED
        && close.getClassId() == QUEUE_CLASS
        && close.getMethodId() == DECLARE_METHOD;
  }

  /** AMQP's number for why the broker closed a channel or a connection; 0 where it did not. */
  static int replyCode(Throwable failure) {
    ShutdownSignalException shutdown = shutdownIn(failure);
    return shutdown == null ? 0 : replyCode(shutdown.getReason());
  }

  private static int replyCode(Method reason) {
    if (reason instanceof AMQP.Channel.Close close) {
      return close.getReplyCode();
    }
    return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
  }

  private static String reply(Method reason) {
    if (reason instanceof AMQP.Channel.Close close) {
      return close.getReplyText();
    }
    return reason instanceof AMQP.Connection.Close close
        ? close.getReplyText()
        : reason.protocolMethodName();
  }

  private static String cause(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (root instanceof UnknownHostException) {
      return "unknown host";
    }
    if (root instanceof TimeoutException) {
      return "no answer in time";
    }
    String message = root.getMessage();
    return message == null || message.isBlank() ? root.getClass().getSimpleName() : message;
  }
}
