package dev.inboxd.inbound;

import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.sending.feedback.InboundReport;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A received message, the same for all its recipients.
 *
 * @param id identifies it in the log
 * @param reversePath the reverse-path, empty for notifications
 * @param content its octets as they are stored
 * @param contentDigest digest of the client's octets without leading trace fields, equal for repeated deliveries
 * @param local whether it comes from an inbox of this server
 * @param labels labels from its authentication
 * @param returnPaths the local parts of those recipients that have the form of our return paths
 * @param authenticatedDomains the domains with an SPF or DKIM pass
 * @param envelopeCheck the results of the filters before parsing
 */
record IncomingMessage(
        String id,
        String reversePath,
        MessageBytes content,
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

    /** A message from an inbox of this server. */
    static IncomingMessage local(RawMessage raw, String reversePath, ContentFilters.EnvelopeCheck check) {
        return new IncomingMessage(
                raw.id(), reversePath, raw, raw.sha256(), true, List.of(), List.of(), List.of(), check);
    }

    /** The input of the search for delivery and complaint reports in it. */
    InboundReport toReport(ParsedMessage parsed, Map<UUID, List<UUID>> inboxes) {
        return new InboundReport(
                parsed,
                part -> PartReader.open(content.open(), part),
                reversePath,
                returnPaths,
                authenticatedDomains,
                inboxes);
    }
}
