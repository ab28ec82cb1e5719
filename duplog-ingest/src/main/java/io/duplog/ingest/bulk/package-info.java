/**
 * Takes transactions by HTTP from rsyslog's omelasticsearch, in the form of Elasticsearch's bulk
 * API. {@code BulkServer} is the entrance.
 */
package io.duplog.ingest.bulk;
