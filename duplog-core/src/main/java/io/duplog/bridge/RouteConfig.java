package io.duplog.bridge;

import io.duplog.config.Key;
import io.duplog.deliver.route.RoutingConfig;

/** What {@link RouteCommand} reads of its file. */
record RouteConfig(@Key(doc = "As in sink.hec.") RoutingConfig routing) {}
