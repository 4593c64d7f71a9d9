package dev.inboxd.inbound;

import dev.inboxd.mailbox.content.StoredContent;
import dev.inboxd.mailbox.storage.MessageSummaries;
import dev.inboxd.sending.feedback.RecipientReport;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A message queued for storage in inboxes of one organization.
 *
 * @param content its bytes, in the row or in blobs of the organization
 * @param isFull set after the commit when there was no room in some inbox
 * @param isUnjudged set after the commit when its organization wants a verdict that was not reached: then it is not
 *     stored
 */
record InboundItem(Mail mail, StoredContent content, AtomicBoolean isFull, AtomicBoolean isUnjudged) {
    InboundItem(Mail mail, StoredContent content) {
        this(mail, content, new AtomicBoolean(), new AtomicBoolean());
    }

    IncomingMessage message() {
        return mail.message;
    }

    /**
     * What the message is to one organization.
     *
     * @param inboxes the recipients of this organization
     * @param findings the genuine reports in it about messages that this organization sent
     * @param isSuspect whether it looks like spam; a reply to a message of the inbox, and a trusted sender's mail, are
     *     not labelled as spam
     */
    record Mail(IncomingMessage message, List<UUID> inboxes, List<RecipientReport> findings, boolean isSuspect) {
        Mail {
            inboxes = List.copyOf(inboxes);
            findings = List.copyOf(findings);
        }

        /**
         * Whether it is a report about a message of that inbox; a report concerns no other inbox. Local mail with the
         * null reverse-path is a report of our own (RFC 3461 §5.2).
         */
        boolean isReportTo(UUID inbox) {
            return (message.origin().local() && message.reversePath().isEmpty())
                    || findings.stream().anyMatch(finding -> finding.isAbout(inbox));
        }

        /** The Message-IDs of that inbox's messages that this message reports on or replies to, the nearest first. */
        List<String> candidates(UUID inbox) {
            List<String> candidates =
                    MessageSummaries.candidates(message.parsed().identification());
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
