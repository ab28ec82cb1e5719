#!/bin/sh
# What the scripted input runs each minute: asks the page of the bridge on this host how it is. Its exit
# status says how the bridge is; to Splunk it would mean that the script failed.
"${DUPLOG:-duplog}" status --events --url "${DUPLOG_URL:-http://127.0.0.1:8514}" || exit 0
