// An OpenTelemetry collector with the components that deploy/hec-clients/otel.yaml names. HecClientsIT runs a pair of it.
// This builds it, in this folder, in three minutes: go build -o ../../../../target/otel-collector
package main

import (
	"log"

	"github.com/open-telemetry/opentelemetry-collector-contrib/exporter/splunkhecexporter"
	"github.com/open-telemetry/opentelemetry-collector-contrib/extension/storage/filestorage"
	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/tcplogreceiver"
	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/udplogreceiver"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/extension"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/receiver"
)

func components() (otelcol.Factories, error) {
	var factories otelcol.Factories
	var err error
	if factories.Extensions, err = otelcol.MakeFactoryMap[extension.Factory](filestorage.NewFactory()); err != nil {
		return factories, err
	}
	if factories.Receivers, err = otelcol.MakeFactoryMap[receiver.Factory](
		tcplogreceiver.NewFactory(), udplogreceiver.NewFactory()); err != nil {
		return factories, err
	}
	factories.Exporters, err = otelcol.MakeFactoryMap[exporter.Factory](splunkhecexporter.NewFactory())
	return factories, err
}

func main() {
	settings := otelcol.CollectorSettings{
		// These are otelcol-contrib's, because the User-Agent of the requests is made of them.
		BuildInfo: component.BuildInfo{
			Command: "otelcol-contrib", Description: "OpenTelemetry Collector Contrib", Version: "0.139.0"},
		Factories: components,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{
			ResolverSettings: confmap.ResolverSettings{
				DefaultScheme:     "file",
				ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory()},
			},
		},
	}
	if err := otelcol.NewCommand(settings).Execute(); err != nil {
		log.Fatal(err)
	}
}
