/**
 * The real servers of the journey, each in a container, for the tests whose subject is how they
 * behave: {@link io.duplog.parts.RabbitMq}, {@link io.duplog.parts.Redis}, {@link
 * io.duplog.parts.Rsyslog}.
 *
 * <p>A part has the same address from its first start to {@code close()}: its container stays up
 * while the server in it is stopped, killed and started again with its data. The address is the
 * container's own, with no proxy in between, so that a stopped server refuses connections and a
 * paused one lets them hang. That needs a Docker engine on this very machine.
 *
 * <p>{@code deploy/verify} brings the engine and the image and runs every test. To run one by hand:
 *
 * <pre>
 * deploy/verify --prepare          # brings the engine and the image, and leaves the engine running
 * mvn verify -pl duplog-core -am -Dit.test=RabbitMqIT -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dfailsafe.failIfNoSpecifiedTests=false
 * deploy/verify --stop             # when done
 * </pre>
 *
 * <p>The image is {@code duplog-parts}, the servers of the distribution that this machine runs. The
 * official images serve as well: DUPLOG_RABBITMQ_IMAGE=rabbitmq:4, DUPLOG_REDIS_IMAGE=redis:7. (The
 * one for rsyslog, DUPLOG_RSYSLOG_IMAGE, needs a Java 17 runtime beside it.)
 */
@NullMarked
package io.duplog.parts;

import org.jspecify.annotations.NullMarked;
