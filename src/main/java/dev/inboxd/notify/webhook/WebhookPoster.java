package dev.inboxd.notify.webhook;

import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.PostRequest;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.platform.job.Nodes;
import dev.inboxd.platform.rate.ClientNetwork;
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
public record WebhookPoster(SafeHttp http, Vault vault, InstantSource clock, Nodes nodes) {
    /**
     * An endpoint, and where its name leads for one attempt.
     *
     * @param endpoint what is posted to
     * @param found what the DNS said; null when the connection is to ask
     */
    record ResolvedEndpoint(
            Endpoint endpoint,
            HostLimiter.Destination destination,
            @Nullable DnsAnswer<InetAddress> found) {
        /** At an endpoint wherever it is, when there are no bounds to its addresses. */
        static ResolvedEndpoint anywhere(Endpoint endpoint) {
            return new ResolvedEndpoint(endpoint, HostLimiter.Destination.UNKNOWN, null);
        }
    }

    /** As {@link #resolve(Endpoint)} if there are bounds to what goes where; else nobody need know. */
    ResolvedEndpoint resolve(Endpoint endpoint, HostLimiter targets) {
        return targets.areBounded() ? resolve(endpoint) : ResolvedEndpoint.anywhere(endpoint);
    }

    /**
     * Looks where an endpoint's deliveries go. The post goes there and nowhere else, however long it waits for its place.
     * A name that leads nowhere now has its own bounds only; and the post fails.
     */
    private ResolvedEndpoint resolve(Endpoint endpoint) {
        return switch (endpoint.target()) {
            case TargetCheck.Valid(Target target) -> {
                DnsAnswer<InetAddress> found = http.lookUp(target);
                List<InetAddress> addresses =
                        found instanceof DnsAnswer.Records<InetAddress>(var all) ? all : List.of();
                yield new ResolvedEndpoint(
                        endpoint,
                        new HostLimiter.Destination(
                                target.host().text() + ":" + target.port(),
                                addresses.stream().map(ClientNetwork::of).toList()),
                        found);
            }
            case TargetCheck.Invalid _ -> ResolvedEndpoint.anywhere(endpoint);
        };
    }

    /** Posts an event, signed as of that moment, and waits for what comes of it. */
    HttpOutcome post(String webhook, ResolvedEndpoint aim, String eventId, Instant at, byte[] content) {
        Endpoint endpoint = aim.endpoint;
        return switch (endpoint.target()) {
            case TargetCheck.Valid(Target target) ->
                http.post(new PostRequest(
                        target,
                        endpoint.fields(eventId, at.getEpochSecond(), content),
                        content,
                        RetrySchedule.PATIENCE,
                        new PostRequest.ConnectionGroup(webhook, aim.found)));
            case TargetCheck.Invalid(var _, String message) ->
                new HttpOutcome.NoResponse(HttpOutcome.Failure.REFUSED_ADDRESS, message);
        };
    }
}
