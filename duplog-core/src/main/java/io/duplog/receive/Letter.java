package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import java.util.HashMap;
import java.util.Map;

/** A message that is published to a dead-letter queue, or taken from one. */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
record Letter(AMQP.BasicProperties properties, byte[] body) {

  /** Returns a header's value; an empty text if there is no such header. */
  Object header(String name) {
    return headers(properties).getOrDefault(name, "");
  }

  /** Returns a copy that has these headers in place of its own. */
  Letter with(Map<String, Object> headers) {
    return new Letter(properties.builder().headers(headers).build(), body);
  }

  /** Returns a modifiable copy of the headers; empty if there are none. */
  static Map<String, Object> headers(AMQP.BasicProperties properties) {
    Map<String, Object> headers = properties.getHeaders();
    return headers == null ? new HashMap<>() : new HashMap<>(headers);
  }
}
