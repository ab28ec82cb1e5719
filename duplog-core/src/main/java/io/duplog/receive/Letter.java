package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import java.util.HashMap;
import java.util.Map;

/** What travels as one message to a dead-letter queue or from there. */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
record Letter(AMQP.BasicProperties properties, byte[] body) {

  /** Empty where there is no such header. */
  Object header(String name) {
    return headers(properties).getOrDefault(name, "");
  }

  /** The same with these headers in place of its own. */
  Letter with(Map<String, Object> headers) {
    return new Letter(properties.builder().headers(headers).build(), body);
  }

  /** A copy, which may be changed; empty where there are none. */
  static Map<String, Object> headers(AMQP.BasicProperties properties) {
    Map<String, Object> headers = properties.getHeaders();
    return headers == null ? new HashMap<>() : new HashMap<>(headers);
  }
}
