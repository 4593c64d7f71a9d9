package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.mailbox.storage.MessageSummaries;
import dev.inboxd.sending.AuthorKeys;
import dev.inboxd.sending.ReservedMessage;
import dev.inboxd.sending.SendOrigin;
import dev.inboxd.sending.answer.DraftTerms;
import dev.inboxd.sending.compose.OutgoingMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message that is not sent yet.
 *
 * @param id its public id
 * @param clientId the client_id its creator gave it, or null
 * @param labels the labels that its message will carry, and {@link #SCHEDULED} while it has a send time
 * @param author who wrote it
 * @param approval null when nobody was asked for approval
 * @param createdAt when it was created
 * @param updatedAt when it was last changed: unique and in commit order within the organization
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
        Author author,
        @Nullable Approval approval,
        Instant createdAt,
        Instant updatedAt) {
    /** The label of a draft with a send time. */
    static final String SCHEDULED = "scheduled";

    public Draft {
        labels = List.copyOf(labels);
    }

    /**
     * The inbox and pod of a draft.
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
     * The content of a draft; drafts in lists have neither text nor HTML.
     *
     * @param preview the beginning of the text, or null without text
     */
    public record Text(
            @Nullable String subject,
            @Nullable String preview,
            @Nullable String text,
            @Nullable String html) {
        /** Content with the preview derived from it; a body that nobody can see is none. */
        static Text of(@Nullable String subject, @Nullable String text, @Nullable String html) {
            OutgoingMessage.Body body = new OutgoingMessage.Body(text, html, List.of());
            return new Text(subject, MessageSummaries.preview(body.text(), body.html()), body.text(), body.html());
        }

        /** Its bytes in the organization's storage usage. */
        long bytes() {
            return length(text) + length(html);
        }

        private static long length(@Nullable String text) {
            return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /**
     * The message that the draft replies to or forwards; at most one of the two is set.
     *
     * @param inReplyTo the public id of the message it replies to
     * @param forwardOf the public id of the message it forwards
     * @param references the Message-IDs of the conversation, oldest first
     * @param terms under which its message may join that conversation
     */
    public record Origin(
            @Nullable String inReplyTo, @Nullable String forwardOf, List<String> references, DraftTerms terms) {
        public Origin {
            references = List.copyOf(references);
        }
    }

    /** The state of a schedule. */
    public enum Status {
        /** Waiting for its send time. */
        SCHEDULED,
        /** Waiting for somebody to let it leave (approvals.md §2). */
        AWAITING_APPROVAL,
        /** Somebody pays for its sending; it cannot be changed now (payments.md §8). */
        AWAITING_PAYMENT,
        /** Being sent; it cannot be changed now. */
        SENDING,
        /** Sending failed; it is not sent before it gets a new send time. */
        FAILED,
        /** An answer came, and nothing is left to send before it gets a new send time. */
        CANCELLED;

        /** The name on the wire and in the row. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static @Nullable Status ofWire(@Nullable String wire) {
            return wire == null ? null : valueOf(wire.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * The schedule of a draft.
     *
     * @param status null without a schedule
     * @param sendAt null without a schedule
     * @param error why sending failed, as a sentence; null unless it did
     */
    public record Schedule(
            @Nullable Status status,
            @Nullable Instant sendAt,
            @Nullable String error) {
        /** No schedule. */
        public static final Schedule NONE = new Schedule(null, null, null);

        /** A schedule for this time; null stands for none. */
        static Schedule at(@Nullable Instant sendAt) {
            return sendAt == null ? NONE : new Schedule(Status.SCHEDULED, sendAt, null);
        }
    }

    /**
     * Who wrote a draft.
     *
     * @param key the key that wrote it, or changed it last before it waited; null for a person
     * @param needsApproval whether a key wrote or changed it that sends nothing without approval
     * @param keys every key that wrote or changed it
     */
    public record Author(@Nullable UUID key, boolean needsApproval, AuthorKeys keys) {
        /** A person, or nobody. */
        static final Author NONE = new Author(null, false, AuthorKeys.NONE);

        /** The caller. */
        static Author of(Caller caller) {
            return of(SendOrigin.of(caller));
        }

        /** Where a message comes from. */
        static Author of(SendOrigin origin) {
            return new Author(
                    origin.key(), origin.needsApproval(), origin.authors().and(origin.key()));
        }

        /** The same, and another one who writes: it is his then, unless it waits for approval. */
        Author and(Author actor, boolean isWaiting) {
            return new Author(isWaiting ? key : actor.key, needsApproval || actor.needsApproval, keys.and(actor.keys));
        }
    }

    /**
     * A question for approval.
     *
     * @param isRejected whether the answer was no
     * @param note why, in the words of the person who rejected it, or null
     * @param askedBy the key that asked to send it; null for a person, or its schedule
     * @param reserved the ids that its message will have
     * @param specifics what its message has beside what the draft says, or null
     */
    public record Approval(
            boolean isRejected,
            @Nullable String note,
            @Nullable UUID askedBy,
            Instant askedAt,
            ReservedMessage reserved,
            @Nullable DraftSpecifics specifics) {}

    /** Whether it waits for approval. */
    boolean isWaiting() {
        return schedule.status == Status.AWAITING_APPROVAL;
    }

    /** What its message has beside what the draft says; null when there is nothing. */
    @Nullable
    DraftSpecifics specifics() {
        return approval == null ? null : approval.specifics;
    }

    /** Whether it was submitted: then the message goes as it came. */
    boolean isSubmitted() {
        DraftSpecifics specifics = specifics();
        return specifics != null && specifics.submission() != null;
    }

    /** Whether that key wrote it, changed it last before it waited, or asked to send it. */
    boolean isFrom(@Nullable UUID key) {
        return key != null && (key.equals(author.key) || (approval != null && key.equals(approval.askedBy)));
    }

    /** Whether that key wrote in it, ever, or asked to send it. */
    boolean isBy(@Nullable UUID key) {
        return isFrom(key) || (key != null && author.keys.has(key));
    }

    /** The addresses that its message goes to, in lower case. */
    Set<String> recipients() {
        DraftSpecifics.Submission submission = isSubmitted()
                ? Objects.requireNonNull(Objects.requireNonNull(specifics()).submission())
                : null;
        Stream<String> addresses = submission != null
                ? submission.recipients().stream()
                : Stream.of(people.to, people.cc, people.bcc)
                        .flatMap(List::stream)
                        .map(person -> MailAddress.parse(person).address());
        return addresses.map(address -> address.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    /** Whether it is being sent, or paid for, now. */
    boolean isSending() {
        return schedule.status == Status.SENDING || schedule.status == Status.AWAITING_PAYMENT;
    }

    /** The labels of a draft with this schedule. */
    static List<String> labels(List<String> own, Schedule schedule) {
        List<String> labels = new ArrayList<>(own);
        labels.remove(SCHEDULED);
        if (schedule.sendAt != null) {
            labels.add(SCHEDULED);
        }
        return labels;
    }

    /** The labels without {@code scheduled}, which its message will carry. */
    List<String> ownLabels() {
        return labels(labels, Schedule.NONE);
    }

    /** A copy that somebody else changed. Once a key wrote in it that needs approval, it needs approval. */
    Draft changedBy(Author actor) {
        Author both = author.and(actor, isWaiting());
        return new Draft(
                id, place, clientId, labels, people, text, origin, schedule, both, approval, createdAt, updatedAt);
    }

    /** The terms of its message. */
    AnswerTerms terms(SendTurn turn) {
        DraftSpecifics specifics = specifics();
        boolean isAnswer = specifics == null ? origin.forwardOf == null : specifics.isAnswer();
        AnswerTerms.Kind kind = !isAnswer
                ? AnswerTerms.Kind.FORWARD
                : turn.isApproval() ? AnswerTerms.Kind.APPROVED : AnswerTerms.Kind.ANSWER;
        String original = origin.inReplyTo == null ? origin.forwardOf : origin.inReplyTo;
        return turn.terms(origin.terms.and(turn.said()).of(kind, original, id), author);
    }

    /** Adds the terms to its row, where they are others than before; whose answer ends its schedule may change. */
    void appendTerms(RoundTrip trip, View all, DraftTerms before) {
        if (!origin.terms.equals(before) || origin.terms.cancelsOnReply()) {
            origin.terms.appendTo(trip, all, id, people.to);
        }
    }

    /** A copy with another time of change. */
    Draft at(Instant time) {
        return new Draft(
                id, place, clientId, labels, people, text, origin, schedule, author, approval, createdAt, time);
    }
}
