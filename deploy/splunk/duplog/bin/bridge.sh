#!/bin/sh
# What the scripted input runs: a bridge that writes the merged stream to its standard output. What Java
# warns of goes to stderr, or Splunk would index it with the messages.
exec "${DUPLOG_JAVA:-java}" -Xms144m -Xmx512m -Xmn96m -XX:SurvivorRatio=2 -XX:MetaspaceSize=32m \
  -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -Xlog:disable -Xlog:all=warning:stderr \
  -jar "${DUPLOG_JAR:-/opt/duplog/duplog.jar}" \
  bridge --config "${DUPLOG_CONFIG:-/etc/duplog/duplog.yaml}"
