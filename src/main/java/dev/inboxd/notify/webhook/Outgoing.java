package dev.inboxd.notify.webhook;

import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.Outcome;
import dev.inboxd.net.Post;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.platform.job.Nodes;
import dev.inboxd.platform.rate.Origin;
import dev.inboxd.platform.vault.Vault;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How deliveries leave.
 *
 * @param http posts them
 * @param vault opens secrets and custom headers
 * @param clock the time of an attempt
 * @param nodes who makes them
 */
public record Outgoing(SafeHttp http, Vault vault, InstantSource clock, Nodes nodes) {
    /**
     * An endpoint, and where its name leads for one attempt.
     *
     * @param endpoint what is posted to
     * @param found what the DNS said; null when the connection is to ask
     */
    record Aim(
            Endpoint endpoint,
            Targets.Place place,
            @Nullable DnsAnswer<InetAddress> found) {
        /** At an endpoint wherever it is, when there are no bounds to its addresses. */
        static Aim anywhere(Endpoint endpoint) {
            return new Aim(endpoint, Targets.Place.UNKNOWN, null);
        }
    }

    /** As {@link #aim(Endpoint)} if there are bounds to what goes where; else nobody need know. */
    Aim aim(Endpoint endpoint, Targets targets) {
        return targets.areBounded() ? aim(endpoint) : Aim.anywhere(endpoint);
    }

    /**
     * Looks where an endpoint's deliveries go. The post goes there and nowhere else, however long it waits for its place.
     * A name that leads nowhere now has its own bounds only; and the post fails.
     */
    private Aim aim(Endpoint endpoint) {
        return switch (endpoint.target()) {
            case TargetCheck.Accepted(Target target) -> {
                DnsAnswer<InetAddress> found = http.look(target);
                List<InetAddress> addresses = found instanceof DnsAnswer.Found<InetAddress>(var all) ? all : List.of();
                yield new Aim(
                        endpoint,
                        new Targets.Place(
                                target.host().text() + ":" + target.port(),
                                addresses.stream().map(Origin::of).toList()),
                        found);
            }
            case TargetCheck.Refused _ -> Aim.anywhere(endpoint);
        };
    }

    /** Posts an event, signed as of that moment, and waits for what comes of it. */
    Outcome post(String webhook, Aim aim, String eventId, Instant at, byte[] content) {
        Endpoint endpoint = aim.endpoint;
        return switch (endpoint.target()) {
            case TargetCheck.Accepted(Target target) ->
                http.post(new Post(
                        target,
                        endpoint.fields(eventId, at.getEpochSecond(), content),
                        content,
                        Schedule.PATIENCE,
                        new Post.Lane(webhook, aim.found)));
            case TargetCheck.Refused(var _, String message) ->
                new Outcome.Failed(Outcome.Failure.REFUSED_ADDRESS, message);
        };
    }
}
