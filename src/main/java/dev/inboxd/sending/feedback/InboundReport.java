package dev.inboxd.sending.feedback;

import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.report.ReportReader;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A mail that arrived and may be a report.
 *
 * @param message parsed
 * @param parts opens its parts
 * @param reversePath of the envelope, empty for notifications
 * @param localParts those of its recipients that may be return paths of ours
 * @param authenticatedDomains the domains that SPF or DKIM vouch for
 * @param inboxes where it is addressed to, by organization
 */
public record InboundReport(
        ParsedMessage message,
        ReportReader.Parts parts,
        String reversePath,
        List<String> localParts,
        List<String> authenticatedDomains,
        Map<UUID, List<UUID>> inboxes) {
    public InboundReport {
        localParts = List.copyOf(localParts);
        authenticatedDomains = List.copyOf(authenticatedDomains);
        inboxes = Map.copyOf(inboxes);
    }

    /**
     * Whether a look into it is worth its time: notifications have no sender (RFC 5321 §4.5.5), feedback reports say what
     * they are (RFC 5965 §2), and nothing else comes to return paths but what is about mail of ours.
     */
    boolean mayBeReport() {
        return !localParts.isEmpty() || reversePath.isEmpty() || ReportReader.isFeedback(message);
    }
}
