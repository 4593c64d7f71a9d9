package dev.inboxd.mailbox.thread;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mailbox.label.Labels;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What some messages of a thread are together, in the order of the messages; one message has totals too.
 *
 * @param restricted the bits of the restricted labels
 * @param senders their authors
 * @param recipients their to, cc and bcc
 * @param subject that of the oldest one
 * @param preview that of the newest one
 * @param lastMessage the public id of the newest one
 * @param size their octets
 * @param attachments number of their attachments
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
    /** How many labels a thread shows; more than that only what the service sets by itself. */
    public static final int MOST_LABELS = 1_000;

    private static final int MOST_ADDRESSES = 1_000;
    /** What the texts of the addresses have in UTF-8 together: names can be long. */
    private static final int MOST_OCTETS = 128 << 10;

    public ThreadTotals {
        labels = first(labels);
        senders = List.copyOf(senders);
        recipients = List.copyOf(recipients);
    }

    /** Whether the messages carry no restricted label. */
    public boolean isClean() {
        return restricted == 0;
    }

    /** Which messages of the thread these are. */
    public Tier tier() {
        return Tier.of(restricted);
    }

    /** A thread shows its messages of the first tier in which it has any (mail.md §10.4, security.md §2). */
    public enum Tier {
        /** Those without restricted labels. */
        CLEAN,
        /** Those with restricted labels that are not held. */
        RESTRICTED,
        /** Those that are held. */
        HELD;

        /** The tier of a message with these restricted labels, as bits. */
        public static Tier of(int restricted) {
            return restricted == 0 ? CLEAN : (restricted & RestrictedLabel.HELD.bit()) == 0 ? RESTRICTED : HELD;
        }
    }

    /** The same with the label of a held message, which a thread has whatever else it shows. */
    ThreadTotals held() {
        return with(union(labels, List.of(RestrictedLabel.HELD.label())), senders, recipients);
    }

    /** Whether one of the messages of the thread is held, shown here or not. */
    boolean isHeld() {
        return labels.contains(RestrictedLabel.HELD.label());
    }

    /** These totals with those of a newer message. */
    ThreadTotals plus(ThreadTotals next) {
        return new ThreadTotals(
                union(labels, next.labels),
                restricted | next.restricted,
                distinct(senders, next.senders),
                distinct(recipients, next.recipients),
                subject,
                next.preview,
                next.lastMessage,
                messageCount + next.messageCount,
                size + next.size,
                attachments + next.attachments,
                next.at,
                next.receivedAt == null ? receivedAt : next.receivedAt,
                next.sentAt == null ? sentAt : next.sentAt,
                createdAt);
    }

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

    /** These totals with other labels, and each address once. */
    ThreadTotals distinct(List<String> newLabels) {
        return with(newLabels, distinct(List.of(), senders), distinct(List.of(), recipients));
    }

    /** Labels of clients beyond the bound are left out; those of the service never are. */
    static List<String> first(List<String> labels) {
        if (labels.size() <= MOST_LABELS) {
            return List.copyOf(labels);
        }
        long free = MOST_LABELS - labels.stream().filter(Labels::isOfService).count();
        List<String> first = new ArrayList<>();
        for (String label : labels) {
            if (Labels.isOfService(label) || free-- > 0) {
                first.add(label);
            }
        }
        return List.copyOf(first);
    }

    static List<String> union(List<String> earlier, List<String> more) {
        if (earlier.containsAll(more)) {
            return earlier;
        }
        Set<String> all = new LinkedHashSet<>(earlier);
        all.addAll(more);
        return List.copyOf(all);
    }

    /** Distinct by address, in the form and order of their first appearance. */
    private static List<String> distinct(List<String> earlier, List<String> more) {
        if (earlier.containsAll(more)) {
            return earlier;
        }
        Map<String, String> byAddress = new LinkedHashMap<>();
        earlier.forEach(text -> byAddress.putIfAbsent(MailAddress.bare(text), text));
        long octets =
                byAddress.values().stream().mapToLong(ThreadTotals::octets).sum();
        for (String text : more) {
            // Mail of strangers must not make the row grow without limit.
            if (byAddress.size() < MOST_ADDRESSES
                    && octets + octets(text) <= MOST_OCTETS
                    && byAddress.putIfAbsent(MailAddress.bare(text), text) == null) {
                octets += octets(text);
            }
        }
        return new ArrayList<>(byAddress.values());
    }

    private static int octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
