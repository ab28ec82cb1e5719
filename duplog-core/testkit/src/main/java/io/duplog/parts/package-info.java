/**
 * Runs the real servers of the journey for tests of how they behave, with the files of {@code
 * deploy}.
 *
 * <ul>
 *   <li>{@link io.duplog.parts.RabbitMq} and {@link io.duplog.parts.Redis} are processes that
 *       {@link io.duplog.rig} starts.
 *   <li>{@link io.duplog.parts.SentineledRedis} and {@link io.duplog.parts.ClusteredRedis} are a
 *       container each, which stands for a host: the commands of {@code docs/scaling.md} change its
 *       {@code /etc}. Its address is the container's own, with no proxy in between. That needs a
 *       Docker engine on this very machine.
 * </ul>
 *
 * <p>All have the same address from their first start to {@code close()}, while the server is
 * stopped, killed and started again with its data. A stopped server refuses connections, and a
 * paused one lets them hang.
 *
 * <p>{@code deploy/verify} brings the servers, the engine and the image, and runs every test. To
 * run one by hand:
 *
 * <pre>
 * deploy/verify --prepare          # brings them, and leaves the engine running
 * mvn verify -pl duplog-core/bridge -am -Dit.test=BridgeIT -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dfailsafe.failIfNoSpecifiedTests=false
 * deploy/verify --clean            # when done
 * </pre>
 *
 * <p>The image is {@code duplog-parts}, of the distribution that this machine runs. Others serve as
 * well: DUPLOG_REDIS_IMAGE=redis:7.
 */
package io.duplog.parts;
