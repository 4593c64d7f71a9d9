package dev.inboxd.tenant.domain;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A change of a domain's options (identity.md §11.2); null means no change. */
public record DomainChange(
        @Nullable Boolean feedback,
        @Nullable Boolean subdomains,
        @Nullable Boolean tracking) {
    /**
     * Reads a request's body.
     *
     * @throws Problem {@code validation_error} with all faults
     */
    public static DomainChange read(JsonBody body) {
        DomainChange change = new DomainChange(
                body.flag("feedback_enabled"), body.flag("subdomains_enabled"), body.flag("tracking_enabled"));
        body.check();
        if (change.feedback == null && change.subdomains == null && change.tracking == null) {
            throw Problem.invalid(
                    List.of(new Fault(List.of(), "Give feedback_enabled, subdomains_enabled or tracking_enabled")));
        }
        return change;
    }

    /** The options after the change. */
    Domain.Options appliedTo(Domain.Options before) {
        return new Domain.Options(
                Objects.requireNonNullElse(feedback, before.feedback()),
                Objects.requireNonNullElse(subdomains, before.subdomains()),
                Objects.requireNonNullElse(tracking, before.tracking()),
                before.allowsOtherMx());
    }
}
