package dev.inboxd.calendar.series;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.Json;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventSource;
import dev.inboxd.calendar.content.EventSpan;
import dev.inboxd.calendar.content.EventVersion;
import dev.inboxd.sending.AuthorKeys;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of single events and series. */
public final class CalendarEventSql {
    /** What lists of dates do not show, and what is large. */
    static final String LARGE = "array['description', 'metadata', 'attendees']";

    private static final String COLUMNS = """
            e.organization_id, e.event_id, e.pod_id, e.inbox_id, e.uid, e.source, e.organizer_email,
            e.origin_message_id, e.invited, e.invited_sequence, e.dtstamp, e.sequence, e.revision, e.counter,
            e.operation, e.eras, e.author_keys, e.key_approval, e.recurrence_id, e.answers_to, e.sent_at,
            e.created_at, e.updated_at,
            """;
    static final String FULL = COLUMNS + "e.content::text as content";
    static final String SMALL = COLUMNS + "(e.content - " + LARGE + ")::text as content";

    public static final String PUBLISHED = COLUMNS + published("e.content") + " as content";

    private CalendarEventSql() {}

    /** Lets events in which a key wrote need approval, and returns where the next part of them begins. */
    public static @Nullable String bind(Tx tx, View all, KeyWritings.Part part) {
        List<KeyWritings.ScannedRow> writings = tx.sql(all, """
                select o.event_id::text as id, (not o.key_approval and :key = any (o.author_keys)) as marks
                from calendar_event o where {o} and o.event_id > :after order by o.event_id limit :most""")
                .bind("key", part.key())
                .bind("after", part.afterId())
                .bind("most", part.most())
                .list(KeyWritings.ScannedRow::read);
        List<String> marked = KeyWritings.ScannedRow.marked(writings);
        if (!marked.isEmpty()) {
            tx.sql(all, "update calendar_event e set key_approval = true where {e} and e.event_id = any (:ids)")
                    .bind("ids", marked.stream().map(UUID::fromString).toArray(UUID[]::new))
                    .run();
        }
        return part.next(writings);
    }

    /** What feeds show of a content: no metadata, no attendee, and of a long description the beginning. */
    static String published(String content) {
        return """
                ((case when length(%1$s->>'description') > 4000
                    then jsonb_set(%1$s, array['description'], to_jsonb(left(%1$s->>'description', 4000) || '…'))
                    else %1$s end) - array['metadata', 'attendees'])::text""".formatted(content);
    }

    /**
     * An event, and how many eras it had.
     *
     * @param eras the number of its rows in calendar_era
     */
    public record EventRow(CalendarEvent event, int eras) {
        /** Whether it has dates: it is a series, or was one. */
        public boolean hasDates() {
            return event.content().isSeries() || eras > 0;
        }
    }

    /**
     * When its row is to be found.
     *
     * @param firstStart of all its dates
     * @param lastEnd of all its dates, or null
     * @param nextBoundary the earliest start or end that is to be raised, or null
     * @param zoneVersion of the rules by which these were computed
     */
    record Bounds(
            Instant firstStart,
            @Nullable Instant lastEnd,
            @Nullable Instant nextBoundary,
            String zoneVersion) {}

    public static Optional<EventRow> find(Tx tx, View inbox, UUID id) {
        return tx.sql(inbox, "select " + FULL + " from calendar_event e where {e} and e.event_id = :id")
                .bind("id", id)
                .first(CalendarEventSql::read);
    }

    /** The event with a UID (RFC 5545 §3.8.4.7), and the dates of it that came without it; the event is the first. */
    public static List<EventRow> find(Tx tx, View inbox, String uid) {
        return tx.sql(
                        inbox,
                        "select " + FULL + " from calendar_event e where {e} and e.uid = :uid"
                                + " order by e.recurrence_id limit 1000")
                .bind("uid", uid)
                .list(CalendarEventSql::read);
    }

    /** How many events there are with a UID. */
    public static int count(Tx tx, View inbox, String uid) {
        return tx.sql(inbox, "select count(*) as n from calendar_event e where {e} and e.uid = :uid")
                .bind("uid", uid)
                .single(row -> row.integer("n"));
    }

    /** DTSTAMP of the last mail that was sent of the events with a UID. */
    public static Optional<Instant> lastSent(Tx tx, View inbox, String uid) {
        return tx.sql(
                        inbox,
                        "select e.sent_at from calendar_event e where {e} and e.uid = :uid and e.sent_at is not null"
                                + " order by e.sent_at desc limit 1")
                .bind("uid", uid)
                .first(row -> row.instant("sent_at"));
    }

    /** Those of these events that are there, in no order. */
    public static List<EventRow> find(Tx tx, View inbox, Collection<UUID> ids, boolean isWhole) {
        return tx.sql(
                        inbox,
                        "select " + (isWhole ? FULL : SMALL)
                                + " from calendar_event e where {e} and e.event_id = any (:ids)")
                .bind("ids", ids.toArray(UUID[]::new))
                .list(CalendarEventSql::read);
    }

    public static void insert(Tx tx, View all, EventRow row, Bounds bounds) {
        bound(tx.sql(all, """
                insert into calendar_event (organization_id, event_id, pod_id, inbox_id, uid, source, organizer_email,
                    origin_message_id, content, invited, invited_sequence, dtstamp, sequence, revision, counter,
                    operation, eras, first_at, last_at, span, next_boundary_at, zone_version, author_keys,
                    key_approval, recurrence_id, answers_to, sent_at, created_at, updated_at)
                values ({organization}, :id, :pod, :inbox, :uid, :source, :organizer, :message, :content::jsonb,
                    :invited, :invited_sequence, :dtstamp, :sequence, :revision, :counter, :operation, :eras, :first,
                    :last, :span, :next, :zones, :authors, :approval, :date, :answers, :sent, :created,
                    :updated)"""), row, bounds)
                .bind("pod", row.event().place().pod())
                .bind("inbox", row.event().place().inbox())
                .bind("uid", row.event().origin().uid())
                .bind("source", row.event().origin().source().wireName())
                .bind("organizer", row.event().origin().organizer())
                .bind("created", row.event().version().createdAt())
                .run();
    }

    public static void update(Tx tx, View all, EventRow row, Bounds bounds) {
        bound(tx.sql(all, """
                update calendar_event e set origin_message_id = :message, content = :content::jsonb,
                    invited = :invited, invited_sequence = :invited_sequence, dtstamp = :dtstamp,
                    sequence = :sequence, revision = :revision, counter = :counter, operation = :operation,
                    eras = :eras, first_at = :first, last_at = :last, span = :span, next_boundary_at = :next,
                    zone_version = :zones, author_keys = :authors, key_approval = :approval, recurrence_id = :date,
                    answers_to = :answers, sent_at = :sent, updated_at = :updated
                where {e} and e.event_id = :id"""), row, bounds).run();
    }

    /** Sets by when an event is found and looked at next. */
    static void schedule(Tx tx, View all, UUID event, Bounds bounds) {
        tx.sql(all, """
                update calendar_event e set first_at = :first, last_at = :last, span = :span,
                    next_boundary_at = :next, zone_version = :zones
                where {e} and e.event_id = :id""")
                .bind("id", event)
                .bind("first", bounds.firstStart())
                .bind("last", bounds.lastEnd())
                .bind(
                        "span",
                        EventSpan.of(bounds.firstStart(), bounds.lastEnd()).number())
                .bind("next", bounds.nextBoundary())
                .bind("zones", bounds.zoneVersion())
                .run();
    }

    private static Statement bound(Statement statement, EventRow row, Bounds bounds) {
        CalendarEvent event = row.event();
        return statement
                .bind("id", event.id())
                .bind("message", event.origin().message())
                .bind("date", event.origin().recurrenceId())
                .bind("answers", event.origin().answersTo())
                .bind("sent", event.mail().sent())
                .bind("content", Json.text(event.content().stored()))
                .bind("invited", event.mail().invited())
                .bind("invited_sequence", event.mail().sequence())
                .bind("dtstamp", event.mail().stamp())
                .bind("sequence", event.version().sequence())
                .bind("revision", event.version().revision())
                .bind("counter", event.version().counter())
                .bind("operation", event.version().operation())
                .bind("eras", row.eras())
                .bind("authors", event.author().keys().column())
                .bind("approval", event.author().needsApproval())
                .bind("first", bounds.firstStart())
                .bind("last", bounds.lastEnd())
                .bind(
                        "span",
                        EventSpan.of(bounds.firstStart(), bounds.lastEnd()).number())
                .bind("next", bounds.nextBoundary())
                .bind("zones", bounds.zoneVersion())
                .bind("updated", event.version().updatedAt());
    }

    /** Deletes events with all that hangs on them. */
    public static void delete(Tx tx, View all, Collection<UUID> ids) {
        UUID[] events = ids.toArray(UUID[]::new);
        tx.sql(all, "delete from calendar_override o where {o} and o.event_id = any (:ids)")
                .bind("ids", events)
                .run();
        tx.sql(all, "delete from calendar_era c where {c} and c.event_id = any (:ids)")
                .bind("ids", events)
                .run();
        tx.sql(all, "delete from calendar_boundary b where {b} and b.event_id = any (:ids)")
                .bind("ids", events)
                .run();
        AliasSql.delete(tx, all, events);
        tx.sql(all, "delete from calendar_event e where {e} and e.event_id = any (:ids)")
                .bind("ids", events)
                .run();
    }

    public static EventRow read(Row row) {
        CalendarEvent event = new CalendarEvent(
                row.uuid("event_id"),
                new CalendarEvent.Place(row.uuid("organization_id"), row.uuid("pod_id"), row.uuid("inbox_id")),
                new CalendarEvent.Origin(
                        row.text("uid"),
                        EventSource.ofWire(row.text("source")),
                        row.text("organizer_email"),
                        row.textOrNull("origin_message_id"),
                        row.text("recurrence_id"),
                        row.textOrNull("answers_to")),
                EventContent.stored((Map<?, ?>) Objects.requireNonNull(Json.stored(row.text("content")))),
                new EventVersion(
                        row.integer("sequence"),
                        row.longer("revision"),
                        row.longer("counter"),
                        row.text("operation"),
                        row.instant("created_at"),
                        row.instant("updated_at")),
                new CalendarEvent.MailState(
                        row.texts("invited"),
                        row.integerOrNull("invited_sequence"),
                        row.instantOrNull("dtstamp"),
                        row.instantOrNull("sent_at")),
                new CalendarTx.Author(null, row.flag("key_approval"), new AuthorKeys(row.uuids("author_keys"))));
        return new EventRow(event, row.integer("eras"));
    }
}
