package dev.inboxd.calendar.series;

import dev.inboxd.calendar.content.EntityTag;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventKind;
import dev.inboxd.calendar.content.EventSource;
import dev.inboxd.calendar.content.EventVersion;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A single event or a series.
 *
 * @param content what it is now
 * @param mail what was sent and taken in of it by mail
 * @param author the keys that wrote in it, and whether one of them needed approval then
 */
public record CalendarEvent(
        UUID id,
        Place place,
        Origin origin,
        EventContent content,
        EventVersion version,
        MailState mail,
        CalendarTx.Author author) {
    /** Where it lies. */
    public record Place(UUID organization, UUID pod, UUID inbox) {}

    /**
     * Where it comes from.
     *
     * @param organizer the address of who organizes it
     * @param message the message that last made or changed it, by its public id; null for our own
     * @param recurrenceId which date of a series it is when the inbox does not have the series, see
     *     {@link RecurrenceName}; else empty
     * @param answersTo where answers go when it is not the organizer's address, or null
     */
    public record Origin(
            String uid,
            EventSource source,
            String organizer,
            @Nullable String message,
            String recurrenceId,
            @Nullable String answersTo) {
        /** Of a single event or a series of a client. */
        public static Origin ours(String uid, String organizer) {
            return new Origin(uid, EventSource.API, organizer, null, "", null);
        }

        public boolean isOurs() {
            return source == EventSource.API;
        }
    }

    /**
     * What was sent and taken in by mail.
     *
     * @param invited the addresses that an invitation was sent to
     * @param sequence the sequence of the last invitation, or null
     * @param stamp DTSTAMP of the last change that came by mail, or null
     * @param sent DTSTAMP of the last mail that was sent of it, or null
     */
    public record MailState(
            List<String> invited,
            @Nullable Integer sequence,
            @Nullable Instant stamp,
            @Nullable Instant sent) {
        /** Nothing yet. */
        public static final MailState NONE = new MailState(List.of(), null, null, null);

        /** The same with the DTSTAMP of a change that came by mail. */
        public MailState withStamp(Instant at) {
            return new MailState(invited, sequence, at, sent);
        }

        /** The same after mail is sent: no two mails have one DTSTAMP, so the next second is taken that is free. */
        public MailState sentAt(Instant now) {
            return new MailState(invited, sequence, stamp, after(sent, now));
        }

        /** The second of a moment, or the first behind an earlier DTSTAMP. */
        public static Instant after(@Nullable Instant earlier, Instant now) {
            Instant second = now.truncatedTo(ChronoUnit.SECONDS);
            return earlier == null || second.isAfter(earlier) ? second : earlier.plusSeconds(1);
        }

        public MailState {
            invited = List.copyOf(invited);
        }
    }

    EventKind kind() {
        return content.isSeries() ? EventKind.SERIES : EventKind.SINGLE;
    }

    /** The same with another content and version. */
    public CalendarEvent with(EventContent newContent, EventVersion next) {
        return new CalendarEvent(id, place, origin, newContent, next, mail, author);
    }

    /** The same after mail was sent or taken in. */
    public CalendarEvent with(MailState newMail) {
        return new CalendarEvent(id, place, origin, content, version, newMail, author);
    }

    /** The same after somebody wrote in it. */
    public CalendarEvent writtenBy(CalendarTx.Author writer) {
        return new CalendarEvent(id, place, origin, content, version, mail, writer.after(author));
    }

    /** The tag of its state. */
    public EntityTag tag() {
        return EntityTag.ofRevision(version.revision());
    }
}
