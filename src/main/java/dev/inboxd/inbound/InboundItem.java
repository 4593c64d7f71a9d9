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
 * A message that waits to be stored in inboxes of one organization.
 *
 * @param inboxes the recipients of this organization
 * @param mail what arrived, parsed
 * @param isFull set after the commit when there was no room for it in some inbox
 * @param isNew set after the commit when it was stored in some inbox that did not have it
 */
record InboundItem(List<UUID> inboxes, Mail mail, AtomicBoolean isFull, AtomicBoolean isNew) {
    InboundItem {
        inboxes = List.copyOf(inboxes);
    }

    InboundItem(List<UUID> inboxes, Mail mail) {
        this(inboxes, mail, new AtomicBoolean(), new AtomicBoolean());
    }

    /**
     * One mail, the same for all its inboxes.
     *
     * @param envelopeId names it in the log
     * @param reversePath the envelope's sender, empty for notifications
     * @param contentDigest over the sender's bytes without trace fields on top
     * @param local whether it comes from an inbox of this server
     * @param labels what its checks labelled it with
     * @param findings what it says about mail that this organization sent, as far as it is believed
     * @param isSuspect whether it looks like spam, which an answer to an inbox or a trusted sender's mail never does
     * @param parsed the message
     * @param summary its row and bytes
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
         * Whether it is a report about a message of that inbox; another inbox that it came to is none of its business. What
         * comes from here without a reverse-path is a report of our own (RFC 3461 §5.2).
         */
        boolean isReportTo(UUID inbox) {
            return (local && reversePath.isEmpty()) || findings.stream().anyMatch(finding -> finding.isAbout(inbox));
        }

        /** The ids of that inbox's messages that it is about or answers, the nearest first. */
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
