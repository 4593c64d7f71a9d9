package dev.inboxd.mailbox.storage;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;

/** Which public ids an inbox already has. */
public final class MessageNames {
    private static final RowStatement<NameQuery> FIND = RowStatement.of(
            """
            select {tenant}m.inbox_id, m.name, m.message_id, m.outgoing,
                   case when m.outgoing then m.recipients_to || m.recipients_cc || m.recipients_bcc end as recipients
            from {rows} as w join message m on m.inbox_id = w.inbox_id and m.name = w.name
            where {m}""", RowStatement.uuid("inbox_id", NameQuery::inbox), RowStatement.text("name", NameQuery::name));

    private MessageNames() {}

    /** A public id that an inbox already has; of a sent message also the recipients, as they are shown. */
    public record ExistingName(UUID inbox, String name, UUID id, boolean outgoing, List<String> recipients) {}

    /** A public id that an inbox may have. */
    public record NameQuery(UUID inbox, String name) {}

    /** Adds a look-up of public ids that exist. */
    public static RoundTrip.Result<ExistingName> prefetch(RoundTrip trip, View view, List<NameQuery> names) {
        return trip.query(view, FIND, names, MessageNames::existing);
    }

    static ExistingName existing(Row row) {
        return new ExistingName(
                row.uuid("inbox_id"),
                row.text("name"),
                row.uuid("message_id"),
                row.flag("outgoing"),
                row.texts("recipients"));
    }
}
