package dev.inboxd.sending.limit;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sender, as far as it is known before there is a message. The transaction that stores the message reads the inbox
 * again.
 *
 * @param organization null when the organization is known to be verified, which it stays, or is deleted
 */
public record SenderStatus(Inbox inbox, @Nullable Organization organization) {
    /**
     * The sender now.
     *
     * @param sender the inbox as it was just read, when its organization is verified; null to read it
     * @throws Problem {@code not_found}, {@code inbox_paused}
     */
    public static SenderStatus of(Database database, View view, @Nullable Inbox sender) {
        SenderStatus status = sender != null
                ? new SenderStatus(sender, null)
                : database.read(tx -> {
                    RoundTrip roundTrip = tx.roundTrip();
                    RoundTrip.Result<Inbox> inbox =
                            Inboxes.prefetch(roundTrip, view, List.of(Objects.requireNonNull(view.inbox())));
                    RoundTrip.Result<Organization> organization =
                            Organizations.prefetch(roundTrip, view.organization());
                    roundTrip.run();
                    return new SenderStatus(
                            inbox.rows().stream().findFirst().orElseThrow(() -> Problem.notFound("Inbox")),
                            organization.rows().stream().findFirst().orElse(null));
                });
        status.inbox.requireSending();
        return status;
    }
}
