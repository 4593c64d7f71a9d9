package dev.inboxd.inbound;

import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mailbox.message.MessageSummaries;
import dev.inboxd.mailbox.message.NewMessage;
import dev.inboxd.sending.feedback.RecipientReport;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A message queued for storage in inboxes of one organization.
 *
 * @param inboxes the recipients of this organization
 * @param mail the parsed message
 * @param isFull set after the commit when there was no room in some inbox
 * @param isNew set after the commit when some inbox stored the message that did not have it
 */
record InboundItem(List<UUID> inboxes, Mail mail, AtomicBoolean isFull, AtomicBoolean isNew) {
    InboundItem {
        inboxes = List.copyOf(inboxes);
    }

    InboundItem(List<UUID> inboxes, Mail mail) {
        this(inboxes, mail, new AtomicBoolean(), new AtomicBoolean());
    }

    /**
     * The message, the same for all its inboxes.
     *
     * @param envelopeId identifies it in the log
     * @param reversePath the reverse-path, empty for notifications
     * @param contentDigest digest of the client's octets without leading trace fields
     * @param local whether it comes from an inbox of this server
     * @param labels labels from its authentication
     * @param findings the genuine reports in it about messages that this organization sent
     * @param isSuspect whether it looks like spam; a reply to a message of the inbox, and a trusted sender's mail, are
     *     not labelled as spam
     * @param parsed the message
     * @param summary its row and content
     */
    record Mail(
            String envelopeId,
            String reversePath,
            String contentDigest,
            boolean local,
            List<String> labels,
            List<RecipientReport> findings,
            boolean isSuspect,
            ParsedMessage parsed,
            NewMessage.Summary summary) {
        Mail {
            labels = List.copyOf(labels);
            findings = List.copyOf(findings);
        }

        /**
         * Whether it is a report about a message of that inbox; a report concerns no other inbox. Local mail with the
         * null reverse-path is a report of our own (RFC 3461 §5.2).
         */
        boolean isReportTo(UUID inbox) {
            return (local && reversePath.isEmpty()) || findings.stream().anyMatch(finding -> finding.isAbout(inbox));
        }

        /** The Message-IDs of that inbox's messages that this message reports on or replies to, the nearest first. */
        List<String> candidates(UUID inbox) {
            List<String> candidates = MessageSummaries.candidates(parsed.identification());
            return !isReportTo(inbox)
                    ? candidates
                    : Stream.concat(
                                    findings.stream()
                                            .filter(finding -> finding.isAbout(inbox))
                                            .map(RecipientReport::about)
                                            .filter(Objects::nonNull),
                                    candidates.stream())
                            .distinct()
                            .toList();
        }
    }
}
