#!/bin/sh
# What the scripted input runs: a bridge that writes the merged stream to its standard output.
exec "${DUPLOG_JAVA:-java}" -XX:+ExitOnOutOfMemoryError \
  -jar "${DUPLOG_JAR:-/opt/duplog/duplog.jar}" \
  bridge --config "${DUPLOG_CONFIG:-/etc/duplog/duplog.yaml}"
