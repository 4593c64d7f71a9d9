package dev.inboxd.webhook;

import dev.inboxd.job.Nodes;
import dev.inboxd.net.Outcome;
import dev.inboxd.net.Post;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.rate.Origin;
import dev.inboxd.vault.Vault;
import java.time.Instant;
import java.time.InstantSource;

/**
 * How deliveries leave.
 *
 * @param http posts them
 * @param vault opens secrets and custom headers
 * @param clock the time of an attempt
 * @param nodes who makes them
 */
public record Outgoing(SafeHttp http, Vault vault, InstantSource clock, Nodes nodes) {
    /** Where an endpoint's deliveries go; of a name that leads nowhere now, its own bounds are all there is. */
    Targets.Place place(Endpoint endpoint) {
        return switch (endpoint.target()) {
            case TargetCheck.Accepted(Target target) -> new Targets.Place(target.host().text() + ":" + target.port(),
                    http.addresses(target).stream().map(Origin::of).toList());
            case TargetCheck.Refused _ -> Targets.Place.UNKNOWN;
        };
    }

    /** Posts an event to an endpoint, signed as of that moment, and waits for what comes of it. */
    Outcome post(String webhook, Endpoint endpoint, String eventId, Instant at, byte[] content) {
        return switch (endpoint.target()) {
            case TargetCheck.Accepted(Target target) -> http.post(new Post(target,
                    endpoint.fields(eventId, at.getEpochSecond(), content), content, Schedule.PATIENCE,
                    webhook));
            case TargetCheck.Refused(var _, String message) ->
                    new Outcome.Failed(Outcome.Failure.REFUSED_ADDRESS, message);
        };
    }
}
