package io.duplog.amqp;

import com.google.common.base.Throwables;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.AMQImpl;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Says in an operator's words why a broker did not do what it was asked. Told apart by type and
 * reply code, never by text.
 */
public final class BrokerFailure {
  /** By IANA: who is spoken to in plain text there hangs up. */
  private static final int TLS_PORT = 5671;

  private BrokerFailure() {}

  /**
   * What is wrong, and what can be done about it where that is known: one line without control
   * characters, to be put behind the broker's name.
   *
   * @param queue that was spoken of last
   */
  public static String describe(BrokerLogin login, String queue, Throwable failure) {
    return words(login, queue, failure).replaceAll("\\p{Cntrl}", "?");
  }

  private static String words(BrokerLogin login, String queue, Throwable failure) {
    if (isRefusedLogin(failure)) {
      return "refused user '" + login.user() + "': check user and password";
    }
    if (closing(failure) != null) {
      String reply = "(" + reason(failure) + ")";
      if (isRefused(failure, AMQImpl.Queue.INDEX, AMQImpl.Queue.Declare.INDEX)) {
        return "queue "
            + queue
            + " exists with other arguments "
            + reply
            + ": set queue-type to match it";
      }
      return switch (replyCode(failure)) {
        case AMQP.ACCESS_REFUSED ->
            "queue %s refused %s: give user '%s' permission".formatted(queue, reply, login.user());
        case AMQP.NOT_ALLOWED -> "refused " + reply + ": check virtual-host";
        default -> "queue " + queue + " closed " + reply;
      };
    }
    String reason = login.tls() == null ? null : login.tls().reason(failure);
    return reason == null
        ? "unreachable (" + reason(failure) + hint(login, failure) + ")"
        : "unreachable by TLS: " + reason;
  }

  private static boolean isRefusedLogin(Throwable failure) {
    return failure instanceof AuthenticationFailureException
        || failure instanceof PossibleAuthenticationFailureException;
  }

  /** Whether the broker is away for whatever cause, rather than there and not to be had. */
  public static boolean isAbsence(BrokerLogin login, Throwable failure) {
    if (isRefusedLogin(failure)) {
      return false;
    }
    return closing(failure) == null
        ? login.tls() == null || login.tls().reason(failure) == null
        : replyCode(failure) == AMQP.CONNECTION_FORCED;
  }

  /** What else may be behind a connection that came about and then broke. */
  private static String hint(BrokerLogin login, Throwable failure) {
    List<Throwable> causes = Throwables.getCausalChain(failure);
    if (causes.stream().anyMatch(ConnectException.class::isInstance)) {
      return "";
    }
    boolean closed =
        causes.stream()
            .anyMatch(each -> each instanceof EOFException || each instanceof SocketException);
    if (login.tls() != null) {
      return closed ? login.tls().hint() : "";
    }
    boolean garbled = causes.stream().anyMatch(MalformedFrameException.class::isInstance);
    return garbled || (closed && login.port() == TLS_PORT)
        ? "; if this is its port for TLS, add a section tls"
        : "";
  }

  /**
   * What the broker or the client sent to close a channel or a connection; null where neither did.
   */
  private static @Nullable Method closing(Throwable failure) {
    for (Throwable each : Throwables.getCausalChain(failure)) {
      if (each instanceof ShutdownSignalException shutdown && shutdown.getReason() != null) {
        return shutdown.getReason();
      }
    }
    return null;
  }

  /** Whether the broker refused to publish a body of such a size. */
  public static boolean isTooLarge(Throwable failure) {
    return isRefused(failure, AMQImpl.Basic.INDEX, AMQImpl.Basic.Publish.INDEX);
  }

  /** Whether it refused what this method asked for. RabbitMQ names the method in its reply. */
  private static boolean isRefused(Throwable failure, int classId, int methodId) {
    return closing(failure) instanceof AMQP.Channel.Close close
        && close.getReplyCode() == AMQP.PRECONDITION_FAILED
        && close.getClassId() == classId
        && close.getMethodId() == methodId;
  }

  /** AMQP's number for why the broker closed a channel or a connection; 0 where it did not. */
  public static int replyCode(Throwable failure) {
    Method reason = closing(failure);
    if (reason instanceof AMQP.Channel.Close close) {
      return close.getReplyCode();
    }
    return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
  }

  /** The broker's own words where it closed a channel or a connection, else what happened to it. */
  public static String reason(Throwable failure) {
    Method reason = closing(failure);
    if (reason instanceof AMQP.Channel.Close close) {
      return close.getReplyText();
    }
    if (reason instanceof AMQP.Connection.Close close) {
      return close.getReplyText();
    }
    Throwable root = Throwables.getRootCause(failure);
    if (root instanceof UnknownHostException) {
      return "unknown host";
    }
    if (root instanceof EOFException) {
      return "it closed the connection";
    }
    if (root instanceof TimeoutException || root instanceof SocketTimeoutException) {
      return "no answer in time";
    }
    String message = root.getMessage();
    return message == null || message.isBlank() ? root.getClass().getSimpleName() : message;
  }
}
