package dev.inboxd.mailbox.thread;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A thread with its aggregates: over its clean messages, or over all of them when every one carries a restricted label
 * (mail.md §10.4). Named so because {@code Thread} is Java's.
 *
 * @param restricted the bits of the restricted labels; 0 exactly when the thread has a clean message
 * @param lastMessage the public id of the newest message
 * @param attachments how many attachments its messages have
 * @param at the time of the newest message
 */
public record MailThread(
        UUID id,
        UUID inbox,
        UUID pod,
        List<String> labels,
        int restricted,
        List<String> senders,
        List<String> recipients,
        @Nullable String subject,
        @Nullable String preview,
        String lastMessage,
        int messageCount,
        long size,
        int attachments,
        Instant at,
        @Nullable Instant receivedAt,
        @Nullable Instant sentAt,
        Instant createdAt,
        Instant updatedAt) {

    private static final int MOST_ADDRESSES = 1_000;

    public MailThread {
        labels = List.copyOf(labels);
        senders = List.copyOf(senders);
        recipients = List.copyOf(recipients);
    }

    /**
     * What a thread needs to know of a message in it.
     *
     * @param restricted the bits of its restricted labels
     * @param recipients its to, cc and bcc
     * @param outgoing whether the inbox sent it
     */
    public record Member(
            String name,
            List<String> labels,
            int restricted,
            String sender,
            List<String> recipients,
            @Nullable String subject,
            @Nullable String preview,
            long size,
            int attachments,
            boolean outgoing,
            Instant at) {
        public Member {
            labels = List.copyOf(labels);
            recipients = List.copyOf(recipients);
        }

        boolean isClean() {
            return restricted == 0;
        }
    }

    /** A thread of one message. */
    public static MailThread of(UUID id, UUID inbox, UUID pod, Member first) {
        return new MailThread(
                id,
                inbox,
                pod,
                first.labels,
                first.restricted,
                List.of(first.sender),
                distinct(List.of(), first.recipients),
                first.subject,
                first.preview,
                first.name,
                1,
                first.size,
                first.attachments,
                first.at,
                first.outgoing ? null : first.at,
                first.outgoing ? first.at : null,
                first.at,
                first.at);
    }

    /** This thread after one more message, newer than all others, has joined it. */
    public MailThread plus(Member next) {
        if (next.isClean() && restricted != 0) {
            return of(id, inbox, pod, next); // nothing of the hidden ones remains, not even when they began (P11)
        }
        if (!next.isClean() && restricted == 0) {
            return this;
        }
        return new MailThread(
                id,
                inbox,
                pod,
                union(labels, next.labels),
                restricted | next.restricted,
                distinct(senders, List.of(next.sender)),
                distinct(recipients, next.recipients),
                subject,
                next.preview,
                next.name,
                messageCount + 1,
                size + next.size,
                attachments + next.attachments,
                next.at,
                next.outgoing ? receivedAt : next.at,
                next.outgoing ? next.at : sentAt,
                createdAt,
                next.at);
    }

    /**
     * What the messages of a thread that count say together, in the order of the messages.
     *
     * @param senders who wrote them, any address perhaps several times
     * @param recipients their to, cc and bcc, likewise
     * @param at the time of the newest one
     * @param createdAt the time of the oldest one
     */
    public record ThreadTotals(
            List<String> labels,
            int restricted,
            List<String> senders,
            List<String> recipients,
            @Nullable String subject,
            @Nullable String preview,
            String lastMessage,
            int messageCount,
            long size,
            int attachments,
            Instant at,
            @Nullable Instant receivedAt,
            @Nullable Instant sentAt,
            Instant createdAt) {
        /** The same with these texts. */
        public ThreadTotals with(List<String> saidLabels, List<String> saidSenders, List<String> saidRecipients) {
            return new ThreadTotals(
                    saidLabels,
                    restricted,
                    saidSenders,
                    saidRecipients,
                    subject,
                    preview,
                    lastMessage,
                    messageCount,
                    size,
                    attachments,
                    at,
                    receivedAt,
                    sentAt,
                    createdAt);
        }
    }

    /** This thread as its messages tell it now; the same thread when they tell nothing new. */
    public MailThread withTotals(ThreadTotals told, Instant now) {
        MailThread after = new MailThread(
                id,
                inbox,
                pod,
                labelsOf(told),
                told.restricted,
                distinct(List.of(), told.senders),
                distinct(List.of(), told.recipients),
                told.subject,
                told.preview,
                told.lastMessage,
                told.messageCount,
                told.size,
                told.attachments,
                told.at,
                told.receivedAt,
                told.sentAt,
                told.createdAt,
                updatedAt);
        return after.equals(this) ? this : after.updatedAt(now);
    }

    /** In the order they came, whatever it is told anew for: else hidden mail would show in it (promise P11). */
    private List<String> labelsOf(ThreadTotals told) {
        if (restricted != 0 || told.restricted != 0) {
            return told.labels;
        }
        List<String> kept = new ArrayList<>(labels);
        kept.retainAll(told.labels);
        return union(kept, told.labels);
    }

    /**
     * This thread after labels of messages that count were changed; the same thread when that changes nothing of it.
     *
     * @param added now carried by some message
     * @param gone carried by none any more
     */
    public MailThread labelled(Collection<String> added, Collection<String> gone, Instant now) {
        List<String> after = new ArrayList<>(union(labels, List.copyOf(added)));
        after.removeAll(gone);
        return after.equals(labels)
                ? this
                : new MailThread(
                        id,
                        inbox,
                        pod,
                        after,
                        restricted,
                        senders,
                        recipients,
                        subject,
                        preview,
                        lastMessage,
                        messageCount,
                        size,
                        attachments,
                        at,
                        receivedAt,
                        sentAt,
                        createdAt,
                        now);
    }

    private MailThread updatedAt(Instant time) {
        return new MailThread(
                id,
                inbox,
                pod,
                labels,
                restricted,
                senders,
                recipients,
                subject,
                preview,
                lastMessage,
                messageCount,
                size,
                attachments,
                at,
                receivedAt,
                sentAt,
                createdAt,
                time);
    }

    private static List<String> union(List<String> known, List<String> more) {
        if (known.containsAll(more)) {
            return known;
        }
        Set<String> all = new LinkedHashSet<>(known);
        all.addAll(more);
        return List.copyOf(all);
    }

    /** Distinct by address, in the form and order of their first appearance. */
    private static List<String> distinct(List<String> known, List<String> more) {
        if (known.containsAll(more)) {
            return known;
        }
        Map<String, String> byAddress = new LinkedHashMap<>();
        known.forEach(text -> byAddress.putIfAbsent(address(text), text));
        for (String text : more) {
            // A stranger's mail must not make the row grow without end.
            if (byAddress.size() < MOST_ADDRESSES) {
                byAddress.putIfAbsent(address(text), text);
            }
        }
        return new ArrayList<>(byAddress.values());
    }

    private static String address(String text) {
        int open = text.lastIndexOf('<');
        return open < 0 || !text.endsWith(">") ? text : text.substring(open + 1, text.length() - 1);
    }
}
