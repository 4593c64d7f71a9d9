package dev.inboxd.sending.feedback;

import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.report.ReportReader;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A received message that may be a report.
 *
 * @param message the parsed message
 * @param parts opens its MIME parts
 * @param origin its envelope's sender and its author
 * @param localParts the local parts of recipients that may be return paths of this service
 * @param inboxes the inboxes it is addressed to, by organization
 */
public record InboundReport(
        ParsedMessage message,
        ReportReader.Parts parts,
        ReportOrigin origin,
        List<String> localParts,
        Map<UUID, List<UUID>> inboxes) {
    public InboundReport {
        localParts = List.copyOf(localParts);
        inboxes = Map.copyOf(inboxes);
    }

    /**
     * Whether the message is worth parsing as a report. Notifications have a null reverse path (RFC 5321 §4.5.5),
     * feedback reports declare themselves (RFC 5965 §2), and mail to a return path is always about sent mail.
     */
    boolean mayBeReport() {
        return !localParts.isEmpty() || origin.reversePath().isEmpty() || ReportReader.isFeedback(message);
    }
}
