package dev.inboxd.sending.draft;

import dev.inboxd.mailbox.message.MessageSummaries;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A mail that is not sent yet.
 *
 * @param id its public id
 * @param clientId its creator's alias, or null
 * @param labels those its message will carry, and one more while it has a time
 * @param createdAt when it was made
 * @param updatedAt when it was changed last: unique and in commit order within the organization
 */
public record Draft(
        UUID id,
        Place place,
        @Nullable String clientId,
        List<String> labels,
        People people,
        Text text,
        Origin origin,
        Schedule schedule,
        Instant createdAt,
        Instant updatedAt) {
    /** The label of a draft that has a time. */
    static final String SCHEDULED = "scheduled";

    public Draft {
        labels = List.copyOf(labels);
    }

    /**
     * Where a draft lies.
     *
     * @param inboxName the public id of the inbox, its address
     */
    public record Place(UUID inbox, String inboxName, UUID pod) {}

    /** Its addresses, each {@code addr} or {@code Name <addr>}. */
    public record People(List<String> to, List<String> cc, List<String> bcc, List<String> replyTo) {
        public People {
            to = List.copyOf(to);
            cc = List.copyOf(cc);
            bcc = List.copyOf(bcc);
            replyTo = List.copyOf(replyTo);
        }
    }

    /**
     * What it says; in lists without text and HTML.
     *
     * @param preview its beginning, or null when it says nothing
     */
    public record Text(
            @Nullable String subject,
            @Nullable String preview,
            @Nullable String text,
            @Nullable String html) {
        /** Words with the preview made of them. */
        static Text of(@Nullable String subject, @Nullable String text, @Nullable String html) {
            return new Text(subject, MessageSummaries.preview(text, html), text, html);
        }

        /** What they count of what the organization keeps. */
        long bytes() {
            return length(text) + length(html);
        }

        private static long length(@Nullable String text) {
            return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /**
     * The message it answers or passes on, of which at most one is there.
     *
     * @param inReplyTo the public id of the message it answers
     * @param forwardOf the public id of the message it passes on
     * @param references the conversation, oldest first
     */
    public record Origin(
            @Nullable String inReplyTo, @Nullable String forwardOf, List<String> references) {
        public Origin {
            references = List.copyOf(references);
        }

        /** Whether it begins a conversation. */
        boolean isNone() {
            return inReplyTo == null && forwardOf == null;
        }
    }

    /** How far a schedule has come. */
    public enum Status {
        /** It waits for its time. */
        SCHEDULED,
        /** Its time has come; nothing can change it now. */
        SENDING,
        /** It was not sent and will not be before it gets a new time. */
        FAILED;

        /** The word on the wire and in the row. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static @Nullable Status ofWire(@Nullable String wire) {
            return wire == null ? null : valueOf(wire.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * When it is sent by itself; nothing for a draft without a schedule.
     *
     * @param status null when it has no schedule
     * @param sendAt null when it has no schedule
     */
    public record Schedule(
            @Nullable Status status, @Nullable Instant sendAt) {
        /** None. */
        public static final Schedule NONE = new Schedule(null, null);

        /** To be sent then, or not at all for null. */
        static Schedule at(@Nullable Instant sendAt) {
            return sendAt == null ? NONE : new Schedule(Status.SCHEDULED, sendAt);
        }
    }

    /** Whether it is on its way at this moment. */
    boolean isSending() {
        return schedule.status == Status.SENDING;
    }

    /** The labels that a draft with that schedule carries. */
    static List<String> labels(List<String> own, Schedule schedule) {
        List<String> labels = new ArrayList<>(own);
        labels.remove(SCHEDULED);
        if (schedule.sendAt != null) {
            labels.add(SCHEDULED);
        }
        return labels;
    }

    /** The labels of its own, which its message will carry. */
    List<String> ownLabels() {
        return labels(labels, Schedule.NONE);
    }

    /** This draft, changed at some time. */
    Draft at(Instant time) {
        return new Draft(id, place, clientId, labels, people, text, origin, schedule, createdAt, time);
    }
}
