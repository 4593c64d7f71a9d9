package dev.inboxd.tenant.organization;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.UUID;

/** The stop of everything: what others fetch waits like mail and webhooks (approvals.md §5). */
public final class EverythingStop {
    /** The condition under which the webhooks of the view's organization go on. */
    public static final String NONE = " not exists (select from organization o"
            + " where o.organization_id = {organization} and o.everything_stopped_at is not null)";

    private static final Duration LATER = Duration.ofMinutes(1);

    private EverythingStop() {}

    /**
     * Refuses what leads outside while everything is stopped.
     *
     * @throws Problem {@code service_unavailable}, with the time after which to ask again
     */
    public static void check(Tx tx, UUID organization) {
        boolean isStopped = tx.sql(
                        View.of(organization),
                        "select 1 as one from organization o where {o} and o.everything_stopped_at is not null")
                .exists();
        if (isStopped) {
            throw Problem.of(
                            ErrorCode.SERVICE_UNAVAILABLE,
                            "Everything that leaves is stopped",
                            "A person lets it go on: POST /v0/organizations/resume.")
                    .retryAfter(LATER);
        }
    }
}
