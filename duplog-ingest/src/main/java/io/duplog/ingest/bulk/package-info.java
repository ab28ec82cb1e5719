/**
 * Receives transactions over HTTP from rsyslog's omelasticsearch, which uses Elasticsearch's bulk
 * API. {@code BulkServer} is the entry point.
 */
package io.duplog.ingest.bulk;
