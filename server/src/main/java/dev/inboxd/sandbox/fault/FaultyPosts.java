package dev.inboxd.sandbox.fault;

import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.net.Host;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.Target;
import dev.inboxd.notify.delivery.AttemptFaults;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Posts to webhooks that fail without a connection. */
public final class FaultyPosts implements AttemptFaults {
    private final WorldFaults faults;
    private final LookupFaults lookups;

    /** Posts under these faults. */
    public FaultyPosts(WorldFaults faults, LookupFaults lookups) {
        this.faults = faults;
        this.lookups = lookups;
    }

    @Override
    public @Nullable HttpOutcome outcome(UUID organization, String webhook, Target target) {
        if (target.host() instanceof Host.Name(String name)) {
            LookupFaults.LookupFailure failure = lookups.of(organization, name);
            if (failure != null) {
                return failure == LookupFaults.LookupFailure.NXDOMAIN
                        ? unsent(HttpOutcome.Failure.DNS, name + " has no address in DNS.")
                        : unsent(HttpOutcome.Failure.DNS, "DNS gave no usable answer for " + name + ": SERVFAIL");
            }
        }
        return faults.meet(organization, FaultKind.WEBHOOK, terms -> terms.allows("webhook_id", webhook))
                .map(FaultyPosts::outcome)
                .orElse(null);
    }

    private static HttpOutcome outcome(FaultTerms terms) {
        return switch (terms.text("answer")) {
            case "refused" -> unsent(HttpOutcome.Failure.CONNECT, "No connection: Connection refused");
            case "timeout" ->
                new HttpOutcome.NoResponse(HttpOutcome.Failure.TIMEOUT, "No complete response within the deadline.");
            default -> new HttpOutcome.Response(terms.number("answer"), null, 0, false);
        };
    }

    private static HttpOutcome unsent(HttpOutcome.Failure kind, String detail) {
        return new HttpOutcome.NoResponse(kind, detail, true);
    }
}
