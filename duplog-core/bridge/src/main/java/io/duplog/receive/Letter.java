package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import java.util.HashMap;
import java.util.Map;

/** A dead letter as an AMQP message: its properties and its body. */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
record Letter(AMQP.BasicProperties properties, byte[] body) {

  /** Returns a header's value, or an empty string if the header is absent. */
  Object header(String name) {
    return headers(properties).getOrDefault(name, "");
  }

  /** Returns a copy of this message with other headers. */
  Letter with(Map<String, Object> headers) {
    return new Letter(properties.builder().headers(headers).build(), body);
  }

  /** Returns a modifiable copy of the headers, which is empty if there are none. */
  static Map<String, Object> headers(AMQP.BasicProperties properties) {
    Map<String, Object> headers = properties.getHeaders();
    return headers == null ? new HashMap<>() : new HashMap<>(headers);
  }
}
