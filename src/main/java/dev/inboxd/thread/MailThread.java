package dev.inboxd.thread;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A thread with its aggregates: over its clean messages, or over all of them when every one carries a restricted label
 * (contract: mail.md §10.4). Named so because {@code Thread} is Java's.
 *
 * @param restricted the bits of the restricted labels; 0 exactly when the thread has a clean message
 * @param lastMessage the public id of the newest message
 * @param attachments how many attachments its messages have
 * @param at the time of the newest message
 */
public record MailThread(UUID id, UUID inbox, UUID pod, List<String> labels, int restricted, List<String> senders,
        List<String> recipients, @Nullable String subject, @Nullable String preview, String lastMessage,
        int messageCount, long size, int attachments, Instant at, @Nullable Instant receivedAt,
        @Nullable Instant sentAt, Instant createdAt, Instant updatedAt) {

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
    public record Member(String name, List<String> labels, int restricted, String sender, List<String> recipients,
            @Nullable String subject, @Nullable String preview, long size, int attachments, boolean outgoing,
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
        return new MailThread(id, inbox, pod, first.labels, first.restricted, List.of(first.sender),
                distinct(List.of(), first.recipients), first.subject, first.preview, first.name, 1, first.size,
                first.attachments, first.at, first.outgoing ? null : first.at, first.outgoing ? first.at : null,
                first.at, first.at);
    }

    /** This thread after one more message, newer than all others, has joined it. */
    public MailThread plus(Member next) {
        if (next.isClean() && restricted != 0) {
            return of(id, inbox, pod, next).createdAt(createdAt);
        }
        if (!next.isClean() && restricted == 0) {
            return this; // what is hidden must not show, not even by a time (promise P11)
        }
        return new MailThread(id, inbox, pod, union(labels, next.labels), restricted | next.restricted,
                distinct(senders, List.of(next.sender)), distinct(recipients, next.recipients), subject, next.preview,
                next.name, messageCount + 1, size + next.size, attachments + next.attachments, next.at,
                next.outgoing ? receivedAt : next.at, next.outgoing ? next.at : sentAt, createdAt, next.at);
    }

    /**
     * This thread computed anew from the messages it has now.
     *
     * @param members every message, oldest first, at least one
     * @param now the time of the change
     */
    public MailThread recomputed(List<Member> members, Instant now) {
        List<Member> clean = members.stream().filter(Member::isClean).toList();
        List<Member> shown = clean.isEmpty() ? members : clean;
        MailThread thread = of(id, inbox, pod, shown.getFirst());
        for (Member member : shown.subList(1, shown.size())) {
            thread = thread.plus(member);
        }
        return thread.createdAt(createdAt).updatedAt(now);
    }

    private MailThread createdAt(Instant time) {
        return new MailThread(id, inbox, pod, labels, restricted, senders, recipients, subject, preview, lastMessage,
                messageCount, size, attachments, at, receivedAt, sentAt, time, updatedAt);
    }

    private MailThread updatedAt(Instant time) {
        return new MailThread(id, inbox, pod, labels, restricted, senders, recipients, subject, preview, lastMessage,
                messageCount, size, attachments, at, receivedAt, sentAt, createdAt, time);
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
