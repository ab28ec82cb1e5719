#!/bin/sh
# What the scripted input runs: a bridge that writes the merged stream to its standard output. What Java
# says goes to stderr, or Splunk would index it with the messages.
exec "${DUPLOG_JAVA:-java}" -XX:+DisplayVMOutputToStderr -Xlog:all=off:stdout -Xlog:all=warning:stderr \
  ${DUPLOG_JAVA_OPTS:--Xms144m -Xmx512m -Xmn96m -XX:SurvivorRatio=2 -XX:MetaspaceSize=32m -XX:+UseSerialGC} \
  -XX:+ExitOnOutOfMemoryError \
  -jar "${DUPLOG_JAR:-/opt/duplog/duplog.jar}" \
  bridge --config "${DUPLOG_CONFIG:-/etc/duplog/duplog.yaml}"
