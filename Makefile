# What a developer types most. Each target is one line; CONTRIBUTING.md says more.
.PHONY: help quick verify it demo format docs site reference figures

help: ## Lists these targets
	@sed -n 's/^\([a-z]*\):.*## /make \1	/p' Makefile | expand -t 18

quick: ## The fast tests, and one run of the whole on real servers: three minutes, no Docker
	deploy/verify --quick

verify: ## Every test: what has to pass before a change is merged
	deploy/verify

it: ## One test on real servers, such as: make it NAME=BridgeIT (after deploy/verify --prepare)
	mvn -B -ntp -P quick verify -Dtest=none -Dit.test=$(NAME) $(if $(GROUPS),-Dit.groups=$(GROUPS) -Dit.excluded=none) -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false

demo: ## All of Duplog on this machine, with messages withheld at random, compared at the end
	deploy/demo

format: ## Formats the code as the build wants it
	mvn -B -ntp -q spotless:apply

docs: ## The tests of the documents: links, commands, figures
	mvn -B -ntp -P quick test -pl duplog-core/bridge -am -Dtest=DocumentsTest,FiguresTest -Dsurefire.failIfNoSpecifiedTests=false

site: ## The documents as a site, in target/site: strictly, as a release has it
	deploy/site/build target/site

reference: ## Writes the generated files again: deploy/reference, and the pages of commands, alerts, metrics and products
	mvn -B -ntp -q -P quick test -Dmaven.test.failure.ignore=true -pl benchmark -am -Dtest='*ConfigTest#generated*,AlertsTest#generated*,CommandsPageTest,ProductsPageTest' -Dsurefire.failIfNoSpecifiedTests=false
	cp -r target/reference/. .

figures: ## Measures what benchmark/RESULTS.md shows, for an hour, on a calm machine that is built
	java -jar benchmark/target/duplog-benchmark.jar all
