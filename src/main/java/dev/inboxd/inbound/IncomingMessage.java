package dev.inboxd.inbound;

import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.sending.feedback.InboundReport;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A message on its way into inboxes.
 *
 * @param id names it in the log
 * @param reversePath the envelope's sender, empty for notifications
 * @param contentDigest the same for a repeated delivery of the same message
 * @param local whether it comes from an inbox of this server
 * @param labels what its checks labelled it with
 * @param returnPaths the local parts of its recipients that may be return paths of ours
 * @param authenticatedDomains the domains that SPF or DKIM vouch for
 * @param envelopeCheck what filters saw in it unread
 */
record IncomingMessage(
        String id,
        String reversePath,
        String contentDigest,
        boolean local,
        List<String> labels,
        List<String> returnPaths,
        List<String> authenticatedDomains,
        ContentFilters.EnvelopeCheck envelopeCheck) {
    IncomingMessage {
        labels = List.copyOf(labels);
        returnPaths = List.copyOf(returnPaths);
        authenticatedDomains = List.copyOf(authenticatedDomains);
    }

    /** A message of an inbox of this server. */
    static IncomingMessage local(RawMessage raw, String reversePath, ContentFilters.EnvelopeCheck sighting) {
        return new IncomingMessage(
                raw.id(), reversePath, raw.sha256(), true, List.of(), List.of(), List.of(), sighting);
    }

    /** What finds out whether it is a report. */
    InboundReport toReport(ParsedMessage parsed, MessageBytes octets, Map<UUID, List<UUID>> inboxes) {
        return new InboundReport(
                parsed,
                part -> PartReader.open(octets.open(), part),
                reversePath,
                returnPaths,
                authenticatedDomains,
                inboxes);
    }
}
