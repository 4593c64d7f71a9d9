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
 * (mail.md §10.4). The name avoids Java's {@code Thread}.
 *
 * @param restricted the bits of the restricted labels; 0 exactly when the thread has a clean message
 * @param lastMessage the public id of the newest message
 * @param size octets of its messages
 * @param attachments number of attachments of its messages
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
     * The properties of a message that the aggregates of its thread are computed from.
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

    /** This thread after a message joined it that is newer than all others. */
    public MailThread plus(Member next) {
        if (next.isClean() && restricted != 0) {
            return of(id, inbox, pod, next); // nothing of the hidden messages shows, not even their times (P11)
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
     * The aggregates of a thread, read from those of its messages that count, in the order of the messages.
     *
     * @param senders their authors, an address perhaps several times
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
        /** These totals with other texts. */
        public ThreadTotals with(List<String> newLabels, List<String> newSenders, List<String> newRecipients) {
            return new ThreadTotals(
                    newLabels,
                    restricted,
                    newSenders,
                    newRecipients,
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

    /** This thread with these totals; the same object when they change nothing. */
    public MailThread withTotals(ThreadTotals totals, Instant now) {
        MailThread after = new MailThread(
                id,
                inbox,
                pod,
                labelsOf(totals),
                totals.restricted,
                distinct(List.of(), totals.senders),
                distinct(List.of(), totals.recipients),
                totals.subject,
                totals.preview,
                totals.lastMessage,
                totals.messageCount,
                totals.size,
                totals.attachments,
                totals.at,
                totals.receivedAt,
                totals.sentAt,
                totals.createdAt,
                updatedAt);
        return after.equals(this) ? this : after.updatedAt(now);
    }

    /**
     * Labels remaining in the order in which they came; a thread that is or was hidden takes the order of the totals.
     * Otherwise the order would show hidden mail (promise P11).
     */
    private List<String> labelsOf(ThreadTotals totals) {
        if (restricted != 0 || totals.restricted != 0) {
            return totals.labels;
        }
        List<String> remaining = new ArrayList<>(labels);
        remaining.retainAll(totals.labels);
        return union(remaining, totals.labels);
    }

    /**
     * This thread after a change of labels of messages that count; the same object when its labels remaining the same.
     *
     * @param added labels that some message now carries
     * @param gone labels that no message carries any more
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
            // Mail of strangers must not make the row grow without limit.
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
