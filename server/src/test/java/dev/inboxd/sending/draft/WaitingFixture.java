package dev.inboxd.sending.draft;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import java.util.UUID;

/** Drafts that wait for approval, for tests that are about something else. */
public final class WaitingFixture {
    /** What {@link #await} sets as the time of the draft's last change. */
    public static final String READ = "2026-01-02T03:04:05.000Z";

    private WaitingFixture() {}

    /** Lets a draft wait, and exempts nobody@x.test from approval. */
    public static void await(Database database, UUID organization, String draft) {
        database.<Integer>write(organization, tx -> {
            tx.sql(View.of(organization), """
                    update draft d set send_status = 'awaiting_approval', approval = 'awaiting',
                        message_uuid = d.draft_id,
                        message_name = '<' || d.draft_id || '@mail.localhost>', thread_id = d.draft_id,
                        asked_at = d.created_at, updated_at = :read::timestamptz
                    where {d} and d.draft_id = :id""")
                    .bind("id", UUID.fromString(draft))
                    .bind("read", READ)
                    .run();
            return tx.sql(View.of(organization), """
                    insert into approval_exemption (organization_id, inbox_id, address, created_at)
                    select d.organization_id, d.inbox_id, 'nobody@x.test', d.created_at from draft d
                    where {d} and d.draft_id = :id on conflict do nothing""")
                    .bind("id", UUID.fromString(draft))
                    .run();
        });
    }

    /**
     * Frees a recipient of approval.
     *
     * @param inbox its address
     * @return the recipient
     */
    public static String exempt(Database database, UUID organization, String inbox) {
        database.<Integer>write(
                organization,
                tx -> tx.sql(View.of(organization), """
                insert into approval_exemption (organization_id, inbox_id, address, created_at)
                select i.organization_id, i.inbox_id, 'nobody@x.test', i.created_at from inbox i
                where {i} and i.address = :inbox on conflict do nothing""").bind("inbox", inbox).run());
        return "nobody@x.test";
    }
}
