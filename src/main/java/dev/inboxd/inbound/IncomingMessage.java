package dev.inboxd.inbound;

import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.sending.feedback.InboundReport;
import dev.inboxd.sending.feedback.ReportOrigin;
import dev.inboxd.smtp.server.Envelope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A received message, the same for all its recipients.
 *
 * @param id identifies it in the log
 * @param reversePath the reverse-path, empty for notifications
 * @param content its octets as they are stored
 * @param contentDigest digest of the client's octets without leading trace fields, equal for repeated deliveries
 * @param local whether it comes from an inbox of this server
 * @param labels labels from its authentication
 * @param forwardPaths its recipients here
 * @param author the author's address when it is certainly this author's word; else null
 * @param envelopeCheck the results of the filters before parsing
 */
record IncomingMessage(
        String id,
        String reversePath,
        MessageBytes content,
        String contentDigest,
        boolean local,
        List<String> labels,
        ForwardPaths forwardPaths,
        @Nullable String author,
        ContentFilters.EnvelopeCheck envelopeCheck) {
    IncomingMessage {
        labels = List.copyOf(labels);
    }

    /**
     * The recipients of the envelope.
     *
     * @param returnPaths the local parts of those that have the form of our return paths
     * @param byInbox the addresses as they were written, tags included, that lead to an inbox
     */
    record ForwardPaths(List<String> returnPaths, Map<UUID, List<String>> byInbox) {
        ForwardPaths {
            returnPaths = List.copyOf(returnPaths);
            byInbox = Map.copyOf(byInbox);
        }

        static ForwardPaths of(Envelope envelope) {
            Map<UUID, List<String>> byInbox = new HashMap<>();
            envelope.destinations()
                    .forEach((destination, paths) -> byInbox.put(
                            destination.inbox(),
                            paths.stream().map(SmtpPath::address).toList()));
            return new ForwardPaths(envelope.returnPaths(), byInbox);
        }

        /** Of a message from an inbox of this server to one inbox. */
        static ForwardPaths of(UUID inbox, List<String> recipients) {
            return new ForwardPaths(List.of(), Map.of(inbox, List.copyOf(recipients)));
        }
    }

    /** The addresses that brought it to that inbox; none for a report that concerns the inbox. */
    List<String> deliveredTo(UUID inbox) {
        return forwardPaths.byInbox.getOrDefault(inbox, List.of());
    }

    /** A message from an inbox of this server: nobody here writes in another's name (attack A9a). */
    static IncomingMessage local(
            RawMessage raw, String reversePath, ForwardPaths forwardPaths, ContentFilters.EnvelopeCheck check) {
        String author = reversePath.isEmpty() ? null : reversePath;
        return new IncomingMessage(
                raw.id(), reversePath, raw, raw.sha256(), true, List.of(), forwardPaths, author, check);
    }

    /** The input of the search for delivery and complaint reports in it. */
    InboundReport toReport(ParsedMessage parsed, Map<UUID, List<UUID>> inboxes) {
        return new InboundReport(
                parsed,
                part -> PartReader.open(content.open(), part),
                new ReportOrigin(reversePath, author),
                forwardPaths.returnPaths,
                inboxes);
    }
}
