{{/* The name of every object. A service's may have no dot in it. */}}
{{- define "duplog.name" -}}
{{ .Release.Name | replace "." "-" }}-bridge
{{- end }}

{{/* What selects the pods of this release. */}}
{{- define "duplog.selector" -}}
app.kubernetes.io/name: duplog-bridge
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{/* The labels of every object. */}}
{{- define "duplog.labels" -}}
{{ include "duplog.selector" . }}
app.kubernetes.io/part-of: duplog
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}
