package dev.inboxd.sending.draft;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.WeighedPage;
import dev.inboxd.sending.answer.DraftTerms;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** SQL on drafts. Drafts of an inbox that is being deleted are visible only to their deletion. */
final class DraftSql {
    private static final String COLUMNS = """
            d.draft_id, d.inbox_id, i.address as inbox_name, d.pod_id, d.client_id, d.labels, d.recipients_to,
            d.recipients_cc, d.recipients_bcc, d.reply_to, d.subject, d.preview, d.in_reply_to, d.forward_of,
            d.reference_ids, d.send_status, d.send_at, d.send_error, d.author_key, d.author_keys, d.key_approval,
            d.approval, d.approval_note, d.asked_by, d.asked_at, d.message_uuid, d.message_name, d.thread_id,
            d.specifics, d.created_at, d.updated_at""" + ", " + DraftTerms.COLUMNS;
    /** Ruling 23: a key rotated before verification sees nothing older. */
    private static final String FROM = """

            from draft d
            join inbox i on i.organization_id = d.organization_id and i.inbox_id = d.inbox_id and not i.deleting
            where {d} and d.created_at >= coalesce(:view_since::timestamptz, '-infinity')""";

    private static final String SELECT_FULL = "select " + COLUMNS + ", d.text_body, d.html_body" + FROM;
    /** The octets that a draft has in a list. */
    private static final String WEIGHT = """
            octet_length(array_to_string(d.recipients_to || d.recipients_cc || d.recipients_bcc || d.reply_to
                || d.labels || d.reference_ids, ''))
            + coalesce(octet_length(d.specifics), 0) + coalesce(octet_length(d.subject), 0) + 1024 + 640 *
            (select count(*) from draft_attachment f
             where f.organization_id = {organization} and f.draft_id = d.draft_id)""";

    /** The bytes of a draft in the storage usage of its organization, without its attachments. */
    private static final String BYTES =
            "coalesce(octet_length(%1$stext_body), 0) + coalesce(octet_length(%1$shtml_body), 0)";

    private static final RowStatement.Column<UUID> DRAFT_ID = RowStatement.uuid("draft_id", id -> id);
    private static final RowStatement<UUID> DELETE =
            RowStatement.of(deletion("{organization}"), DRAFT_ID).acrossTenants(deletion("g.organization_id"));

    private DraftSql() {}

    private static String deletion(String organization) {
        return """
                with files as (delete from draft_attachment f using {rows} as r where {f} and f.draft_id = r.draft_id
                               returning f.organization_id, f.size as bytes),
                words as (delete from draft d using {rows} as r where {d} and d.draft_id = r.draft_id
                          returning d.organization_id, %s as bytes)
                update organization_clock k set bytes = k.bytes - g.bytes
                from (select o.organization_id, sum(o.bytes)::bigint as bytes
                      from (select * from files union all select * from words) as o group by o.organization_id) as g
                where k.organization_id = %s""".formatted(BYTES.formatted("d."), organization);
    }

    static Optional<Draft> find(Tx tx, View view, UUID id) {
        return tx.sql(view, SELECT_FULL + " and d.draft_id = :id")
                .bind("id", id)
                .first(DraftSql::read);
    }

    static Optional<Draft> findByClientId(Tx tx, View all, String clientId) {
        return tx.sql(all, SELECT_FULL + " and d.client_id = :client")
                .bind("client", clientId)
                .first(DraftSql::read);
    }

    /** The octets of a draft's texts, for the memory of its answer; nothing when the view does not show it. */
    static Optional<Long> octets(Tx tx, View view, UUID id) {
        return tx.sql(
                        view,
                        "select " + WEIGHT + " + " + BYTES.formatted("d.") + " as octets" + FROM
                                + " and d.draft_id = :id")
                .bind("id", id)
                .first(row -> row.longer("octets"));
    }

    static WeighedPage.Rows<Draft> list(Tx tx, View view, Filter filter, PageRequest page) {
        boolean up = page.ascending();
        String direction = up ? "asc" : "desc";
        StringBuilder sql = new StringBuilder("select d.draft_id, d.updated_at" + FROM);
        sql.append(filter.labels().isEmpty() ? "" : " and d.labels @> :labels");
        sql.append(filter.status() == null ? "" : " and d.send_status = :status");
        sql.append(filter.after() == null ? "" : " and d.updated_at >= :after");
        sql.append(filter.before() == null ? "" : " and d.updated_at < :before");
        sql.append(page.after() == null ? "" : " and d.updated_at " + (up ? ">" : "<") + " :cursor");
        sql.append(" order by d.updated_at ").append(direction).append(" limit :limit");
        return WeighedPage.Rows.of(tx.sql(
                        view,
                        "select " + COLUMNS + ", null::text as text_body, null::text as html_body, x.found from "
                                + WeighedPage.within(
                                        sql.toString(),
                                        "join draft d on d.organization_id = {organization}"
                                                + " and d.draft_id = k.draft_id",
                                        WEIGHT,
                                        "updated_at " + direction)
                                + " as x join draft d on d.organization_id = {organization}"
                                + " and d.draft_id = x.draft_id join inbox i on i.organization_id = {organization}"
                                + " and i.inbox_id = d.inbox_id where x.ahead < :room order by x.updated_at "
                                + direction)
                .bind("limit", page.fetch())
                .bind("room", page.room())
                .bind("labels", filter.labels())
                .bind("status", filter.status() == null ? null : filter.status().wireName())
                .bind("after", filter.after())
                .bind("before", filter.before())
                .bind("cursor", page.after() == null ? null : page.after().instant(0))
                .list(row -> new WeighedPage.Counted<>(read(row), row.integer("found"))));
    }

    /** The filter of a list of drafts. */
    record Filter(
            List<String> labels,
            Draft.@Nullable Status status,
            @Nullable Instant after,
            @Nullable Instant before) {}

    /** Frees the client_id of a draft whose inbox is being deleted. */
    static void forgetClientId(Tx tx, View all, String clientId) {
        tx.sql(all, """
                update draft d set client_id = null
                where {d} and d.client_id = :client and not exists (select from inbox i
                    where i.organization_id = {organization} and i.inbox_id = d.inbox_id
                    and not i.deleting)""").bind("client", clientId).run();
    }

    static void appendInsert(RoundTrip trip, View all, Draft draft) {
        trip.change(
                all,
                """
                with made as (
                insert into draft as d (organization_id, draft_id, inbox_id, pod_id, client_id, labels, recipients_to,
                                   recipients_cc, recipients_bcc, reply_to, subject, preview, text_body, html_body,
                                   in_reply_to, forward_of, reference_ids, send_status, send_at, due_at, created_at,
                                   updated_at)
                values ({organization}, :id, :inbox, :pod, :client, :labels, :to, :cc, :bcc, :reply_to, :subject,
                        :preview, :text, :html, :in_reply_to, :forward_of, :references, :status, :send_at, :send_at,
                        :updated, :updated)
                returning %s as bytes)
                update organization_clock k set bytes = k.bytes + m.bytes from made m
                where k.organization_id = {organization}""".formatted(BYTES.formatted("d.")),
                "id",
                draft.id(),
                "inbox",
                draft.place().inbox(),
                "pod",
                draft.place().pod(),
                "client",
                draft.clientId(),
                "labels",
                draft.labels(),
                "to",
                draft.people().to(),
                "cc",
                draft.people().cc(),
                "bcc",
                draft.people().bcc(),
                "reply_to",
                draft.people().replyTo(),
                "subject",
                draft.text().subject(),
                "preview",
                draft.text().preview(),
                "text",
                draft.text().text(),
                "html",
                draft.text().html(),
                "in_reply_to",
                draft.origin().inReplyTo(),
                "forward_of",
                draft.origin().forwardOf(),
                "references",
                draft.origin().references(),
                "status",
                status(draft),
                "send_at",
                draft.schedule().sendAt(),
                "updated",
                draft.updatedAt());
    }

    /** Adds the update of all members that can change; a new send time resets the number of attempts. */
    static void appendUpdate(RoundTrip trip, View all, Draft draft, boolean rescheduled) {
        trip.change(
                all,
                """
                with was as (select %1$s as bytes from draft d where {d} and d.draft_id = :id),
                made as (
                update draft d
                set labels = :labels, recipients_to = :to, recipients_cc = :cc, recipients_bcc = :bcc,
                    reply_to = :reply_to, subject = :subject, preview = :preview, text_body = :text, html_body = :html,
                    send_status = :status, send_at = :send_at, updated_at = :updated,
                    send_error = case when :rescheduled then null else d.send_error end,
                    due_at = case when :rescheduled then :send_at else d.due_at end,
                    attempts = case when :rescheduled then 0 else d.attempts end
                where {d} and d.draft_id = :id returning %1$s as bytes)
                update organization_clock k set bytes = k.bytes + m.bytes - w.bytes from made m cross join was w
                where k.organization_id = {organization}""".formatted(BYTES.formatted("d.")),
                "id",
                draft.id(),
                "labels",
                draft.labels(),
                "to",
                draft.people().to(),
                "cc",
                draft.people().cc(),
                "bcc",
                draft.people().bcc(),
                "reply_to",
                draft.people().replyTo(),
                "subject",
                draft.text().subject(),
                "preview",
                draft.text().preview(),
                "text",
                draft.text().text(),
                "html",
                draft.text().html(),
                "status",
                status(draft),
                "send_at",
                draft.schedule().sendAt(),
                "updated",
                draft.updatedAt(),
                "rescheduled",
                rescheduled);
    }

    /** Adds the deletion of drafts and their attachments. */
    static void appendDelete(RoundTrip trip, View all, Collection<UUID> drafts) {
        trip.joinChange(all, DELETE, List.copyOf(drafts));
    }

    private static @Nullable String status(Draft draft) {
        Draft.Status status = draft.schedule().status();
        return status == null ? null : status.wireName();
    }

    private static Draft read(Row row) {
        return new Draft(
                row.uuid("draft_id"),
                new Draft.Place(row.uuid("inbox_id"), row.text("inbox_name"), row.uuid("pod_id")),
                row.textOrNull("client_id"),
                row.texts("labels"),
                new Draft.People(
                        row.texts("recipients_to"),
                        row.texts("recipients_cc"),
                        row.texts("recipients_bcc"),
                        row.texts("reply_to")),
                new Draft.Text(
                        row.textOrNull("subject"),
                        row.textOrNull("preview"),
                        row.textOrNull("text_body"),
                        row.textOrNull("html_body")),
                new Draft.Origin(
                        row.textOrNull("in_reply_to"),
                        row.textOrNull("forward_of"),
                        row.texts("reference_ids"),
                        DraftTerms.read(row)),
                new Draft.Schedule(
                        Draft.Status.ofWire(row.textOrNull("send_status")),
                        row.instantOrNull("send_at"),
                        row.textOrNull("send_error")),
                DraftApprovalSql.author(row),
                DraftApprovalSql.approval(row),
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
