/**
 * Runs the real servers between shim and bridge for tests of their behaviour, with the files of
 * {@code deploy}.
 *
 * <ul>
 *   <li>{@link io.duplog.parts.RabbitMq} and {@link io.duplog.parts.Redis} are processes that
 *       {@link io.duplog.rig} starts.
 *   <li>{@link io.duplog.parts.SentineledRedis} and {@link io.duplog.parts.ClusteredRedis} run in
 *       one container each, which simulates a host: the commands of {@code docs/scaling.md} change
 *       its {@code /etc}. Its address is the container's own, with no proxy in between. They need a
 *       Docker engine on this machine.
 * </ul>
 *
 * <p>All have the same address from their first start to {@code close()}, while the server is
 * stopped, killed and restarted with its data. A stopped server refuses connections. Connections to
 * a paused server hang.
 *
 * <p>{@code deploy/verify} installs the servers, the engine and the image, and runs every test. To
 * run one test by hand:
 *
 * <pre>
 * deploy/verify --prepare          # installs them, and leaves the engine running
 * mvn verify -pl duplog-core/bridge -am -Dit.test=BridgeIT -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dfailsafe.failIfNoSpecifiedTests=false
 * deploy/verify --clean            # when done
 * </pre>
 *
 * <p>The image is {@code duplog-parts}, with the same distribution as this machine. Other images
 * also work: DUPLOG_REDIS_IMAGE=redis:7.
 */
package io.duplog.parts;
