package dev.inboxd.notify.delivery;

import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.time.MovableClock;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.HostLimiter;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.PostRequest;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.notify.webhook.Endpoint;
import java.net.InetAddress;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Posts deliveries to their endpoints.
 *
 * @param http the HTTP client
 * @param vault unseals secrets and header fields
 * @param clock the time of attempts
 * @param nodes the nodes that share the deliveries
 * @param faults how posts end in development
 */
public record WebhookPoster(SafeHttp http, Vault vault, InstantSource clock, Nodes nodes, AttemptFaults faults) {
    /**
     * An endpoint and the addresses of its host, for one attempt.
     *
     * @param endpoint the endpoint to post to
     * @param resolution the DNS answer; null when the connection resolves the name itself
     */
    public record ResolvedEndpoint(
            Endpoint endpoint,
            HostLimiter.Destination destination,
            @Nullable DnsAnswer<InetAddress> resolution) {
        /** An endpoint whose name is not resolved yet, for use without host limits. */
        static ResolvedEndpoint anywhere(Endpoint endpoint) {
            return new ResolvedEndpoint(endpoint, HostLimiter.Destination.UNKNOWN, null);
        }
    }

    /** Resolves the endpoint's host if posts are limited; without limits the addresses are not needed yet. */
    public ResolvedEndpoint resolve(Endpoint endpoint, HostLimiter targets) {
        return targets.areBounded() ? resolve(endpoint) : ResolvedEndpoint.anywhere(endpoint);
    }

    /**
     * Resolves the host of an endpoint. The post goes to these addresses and to no others, however long it waits for
     * its permit. A name without addresses is limited by its name alone, and its post fails.
     */
    private ResolvedEndpoint resolve(Endpoint endpoint) {
        return switch (endpoint.target()) {
            case TargetCheck.Valid(Target target) -> {
                DnsAnswer<InetAddress> addresses = http.lookUp(target);
                yield new ResolvedEndpoint(endpoint, HostLimiter.Destination.of(target, addresses), addresses);
            }
            case TargetCheck.Invalid _ -> ResolvedEndpoint.anywhere(endpoint);
        };
    }

    /** An event to post; it is signed with the real time, by which receivers judge signatures. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record EventPost(String eventId, byte[] content) {}

    /** Posts an event and waits for the outcome. */
    public HttpOutcome post(String webhook, ResolvedEndpoint resolved, EventPost event) {
        Endpoint endpoint = resolved.endpoint;
        return switch (endpoint.target()) {
            case TargetCheck.Valid(Target target) -> {
                HttpOutcome simulated = faults.outcome(endpoint.organization(), webhook, target);
                yield simulated != null
                        ? simulated
                        : http.post(new PostRequest(
                                target,
                                endpoint.fields(
                                        event.eventId,
                                        MovableClock.real(clock).instant().getEpochSecond(),
                                        event.content),
                                event.content,
                                RetrySchedule.PATIENCE,
                                new PostRequest.ConnectionGroup(webhook, resolved.resolution)));
            }
            case TargetCheck.Invalid(var _, String message) ->
                new HttpOutcome.NoResponse(HttpOutcome.Failure.REFUSED_ADDRESS, message);
        };
    }
}
