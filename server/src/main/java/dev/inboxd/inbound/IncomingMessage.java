package dev.inboxd.inbound;

import dev.inboxd.inbound.authentication.AuthenticationVerdict;
import dev.inboxd.inbound.authentication.MessageBytes;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mailbox.message.MessageSecurity;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.screening.HeldCopies;
import dev.inboxd.sending.feedback.InboundReport;
import dev.inboxd.sending.feedback.ReportOrigin;
import dev.inboxd.smtp.server.Envelope;
import dev.inboxd.smtp.server.Spool;
import dev.inboxd.tenant.organization.SecurityMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A received message, the same for all its recipients and unchanged until its commits.
 *
 * @param id identifies it in the log
 * @param origin what is known of it before it is parsed
 * @param content its octets as they are stored
 * @param labels labels from its authentication and its kind
 * @param summary what its rows show
 * @param verdict whether it may try to steer an agent
 * @param copied the held mail of its organization that it passes on, or null
 * @param copies told after a commit of those that were stored, in inboxes of any organization
 */
record IncomingMessage(
        String id,
        Origin origin,
        MessageBytes content,
        ParsedMessage parsed,
        List<String> labels,
        NewMessage.Summary summary,
        PendingVerdict verdict,
        HeldCopies.@Nullable HeldCopy copied,
        StoredCopies copies) {
    IncomingMessage {
        labels = List.copyOf(labels);
    }

    /** The same that passes on held mail. */
    IncomingMessage passingOn(HeldCopies.@Nullable HeldCopy first) {
        return new IncomingMessage(id, origin, content, parsed, labels, summary, verdict, first, copies);
    }

    /** The verdict that is stored in an organization of that mode; a copy of held mail has that of the first. */
    MessageSecurity.@Nullable Verdict verdict(SecurityMode mode) {
        MessageSecurity.Verdict first = inherited(mode);
        return first != null || mode == SecurityMode.OFF ? first : verdict.get().in(mode);
    }

    /**
     * The verdict on the held mail that it passes on, or null. Where nothing is judged, words alone tell nothing: who
     * refers to held mail or encloses it passes it on in every mode (ruling 166).
     */
    MessageSecurity.@Nullable Verdict inherited(SecurityMode mode) {
        return copied == null || (copied.isByWordsAlone() && mode == SecurityMode.OFF) ? null : copied.verdict();
    }

    /**
     * Whom a message comes from and goes to, as its envelope and its authentication say.
     *
     * @param reversePath the reverse-path, empty for notifications
     * @param forwardPaths its recipients here
     * @param contentDigest digest of the client's octets without leading trace fields, equal for repeated deliveries
     * @param local whether it comes from an inbox of this server
     * @param author the author's address when it is certainly this author's word; else null
     * @param labels labels from its authentication
     */
    record Origin(
            String reversePath,
            ForwardPaths forwardPaths,
            String contentDigest,
            boolean local,
            @Nullable String author,
            List<String> labels) {
        Origin {
            labels = List.copyOf(labels);
        }

        static Origin of(Envelope envelope, Spool spool, AuthenticationVerdict verdict) {
            return new Origin(
                    envelope.reversePath().address(),
                    ForwardPaths.of(envelope),
                    spool.contentDigest(),
                    false,
                    verdict.author(),
                    verdict.labels());
        }

        /** The origin of a message from an inbox of this server: nobody here writes in another's name (attack A9a). */
        static Origin local(String reversePath, ForwardPaths forwardPaths, RawMessage raw) {
            String author = reversePath.isEmpty() ? null : reversePath;
            return new Origin(reversePath, forwardPaths, raw.sha256(), true, author, List.of());
        }
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
                            InboxRecipient.of(destination).inbox(),
                            paths.stream().map(SmtpPath::address).toList()));
            return new ForwardPaths(returnPaths(envelope), byInbox);
        }

        private static List<String> returnPaths(Envelope envelope) {
            return envelope.forwardPaths().stream()
                    .map(SmtpPath::localPart)
                    .filter(ReturnPaths::isMeant)
                    .toList();
        }

        /** Of a message from an inbox of this server to one inbox. */
        static ForwardPaths of(UUID inbox, List<String> recipients) {
            return new ForwardPaths(List.of(), Map.of(inbox, List.copyOf(recipients)));
        }
    }

    String reversePath() {
        return origin.reversePath;
    }

    /** The author's address when it is certainly this author's word; else null. */
    @Nullable
    String author() {
        return origin.author;
    }

    /** The addresses that brought it to that inbox; none for a report that concerns the inbox. */
    List<String> deliveredTo(UUID inbox) {
        return origin.forwardPaths.byInbox.getOrDefault(inbox, List.of());
    }

    /** The input of the search for delivery and complaint reports in it. */
    InboundReport toReport(Map<UUID, List<UUID>> inboxes) {
        return new InboundReport(
                parsed,
                part -> PartReader.open(content.open(), part),
                new ReportOrigin(reversePath(), author()),
                origin.forwardPaths.returnPaths,
                inboxes);
    }
}
