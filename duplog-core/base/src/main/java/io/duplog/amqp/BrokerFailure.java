package io.duplog.amqp;

import com.google.common.base.Throwables;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.AMQImpl;
import io.duplog.observe.Printable;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Explains to an operator why RabbitMQ rejected a request or could not be reached, and what to do.
 * Distinguishes failures by exception type and AMQP reply code, never by text.
 */
public final class BrokerFailure {
  /** The registered port of AMQP over TLS, where a broker closes plain-text connections. */
  private static final int TLS_PORT = 5671;

  private BrokerFailure() {}

  /**
   * Returns the problem, and its remedy if one is known. The text is one line without control
   * characters; the caller puts it after the broker's name.
   *
   * @param queue the queue that the failed connection used last
   */
  public static String describe(BrokerLogin login, String queue, Throwable failure) {
    return Printable.of(describeUnescaped(login, queue, failure));
  }

  private static String describeUnescaped(BrokerLogin login, String queue, Throwable failure) {
    if (failure instanceof PossibleAuthenticationFailureException) {
      return "refused user '" + login.user() + "': check user and password";
    }
    if (closeMethod(failure) != null) {
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

  /** Whether the broker could not be reached, as opposed to refusing a request. */
  public static boolean isAbsence(BrokerLogin login, Throwable failure) {
    if (failure instanceof PossibleAuthenticationFailureException) {
      return false;
    }
    return closeMethod(failure) == null
        ? login.tls() == null || login.tls().reason(failure) == null
        : replyCode(failure) == AMQP.CONNECTION_FORCED;
  }

  /**
   * Returns a possible cause of a connection that was opened and then broke, or an empty text if
   * there is no suggestion.
   */
  private static String hint(BrokerLogin login, Throwable failure) {
    List<Throwable> causes = Throwables.getCausalChain(failure);
    if (causes.stream().anyMatch(ConnectException.class::isInstance)) {
      return "";
    }
    boolean connectionBroke =
        causes.stream()
            .anyMatch(each -> each instanceof EOFException || each instanceof SocketException);
    if (login.tls() != null) {
      return connectionBroke ? login.tls().hint() : "";
    }
    boolean malformedFrame = causes.stream().anyMatch(MalformedFrameException.class::isInstance);
    return malformedFrame || (connectionBroke && login.port() == TLS_PORT)
        ? "; if this is its port for TLS, add a section tls"
        : "";
  }

  /**
   * Returns the AMQP method by which the broker or the client closed a channel or a connection, or
   * null if neither closed one.
   */
  private static @Nullable Method closeMethod(Throwable failure) {
    for (Throwable each : Throwables.getCausalChain(failure)) {
      if (each instanceof ShutdownSignalException shutdown && shutdown.getReason() != null) {
        return shutdown.getReason();
      }
    }
    return null;
  }

  /** Whether the broker refused a published body because of its size. */
  public static boolean isTooLarge(Throwable failure) {
    return isRefused(failure, AMQImpl.Basic.INDEX, AMQImpl.Basic.Publish.INDEX);
  }

  /** Whether the broker closed the channel because it refused a call of this AMQP method. */
  private static boolean isRefused(Throwable failure, int classId, int methodId) {
    return closeMethod(failure) instanceof AMQP.Channel.Close close
        && close.getReplyCode() == AMQP.PRECONDITION_FAILED
        && close.getClassId() == classId
        && close.getMethodId() == methodId;
  }

  /**
   * Returns the AMQP reply code with which the channel or connection was closed, or 0 if it was not
   * closed by AMQP.
   */
  public static int replyCode(Throwable failure) {
    Method reason = closeMethod(failure);
    if (reason instanceof AMQP.Channel.Close close) {
      return close.getReplyCode();
    }
    return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
  }

  /**
   * Returns the broker's reply text if it closed a channel or a connection, otherwise a description
   * of the connection's failure.
   */
  public static String reason(Throwable failure) {
    Method reason = closeMethod(failure);
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
