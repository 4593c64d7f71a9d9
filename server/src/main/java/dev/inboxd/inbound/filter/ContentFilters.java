package dev.inboxd.inbound.filter;

import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.smtp.server.Envelope;
import dev.inboxd.smtp.server.MailHandler;
import dev.inboxd.smtp.server.Peer;
import dev.inboxd.smtp.server.Spool;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The content filters: virus scanner, Rspamd or the built-in rules, and the reputation of the client's network. */
public final class ContentFilters implements AutoCloseable {
    private static final SmtpReply POOR_ADDRESS =
            SmtpReply.of(450, "4.7.1", "Too much unwanted mail from your address lately, try again later");
    private static final SmtpReply POOR_NETWORK =
            SmtpReply.of(450, "4.7.1", "Too much unwanted mail from addresses of your network, try again later");

    private final SpamClassifier classifier;
    private final @Nullable VirusScanner scanner;
    private final ScanCache scans = new ScanCache(System::nanoTime);
    private final @Nullable Rspamd rspamd;
    private final NetworkReputation reputation;

    /**
     * The filters.
     *
     * @param scanner null when no virus scanner is configured
     * @param rspamd null when no Rspamd is configured; the built-in rules then apply alone
     */
    public ContentFilters(
            SpamClassifier classifier, @Nullable VirusScanner scanner, @Nullable Rspamd rspamd, InstantSource clock) {
        this(classifier, scanner, rspamd, new NetworkReputation(clock, false));
    }

    ContentFilters(
            SpamClassifier classifier,
            @Nullable VirusScanner scanner,
            @Nullable Rspamd rspamd,
            NetworkReputation reputation) {
        this.classifier = classifier;
        this.scanner = scanner;
        this.rspamd = rspamd;
        this.reputation = reputation;
    }

    /**
     * The results of the checks before the message is parsed.
     *
     * @param client the client's address; null for mail of this server
     * @param spam Rspamd's verdict; null when it gives none
     * @param isSystemMail whether the service itself wrote the message, which is then not checked
     * @param recipients number of its recipients on this server
     * @param decided what somebody chose in place of the filters; null: they decide
     */
    public record EnvelopeCheck(
            @Nullable InetAddress client,
            @Nullable Boolean spam,
            boolean isSystemMail,
            int recipients,
            @Nullable Boolean decided) {
        /** The same check of mail that is spam, or not, because somebody says so. */
        public EnvelopeCheck deciding(@Nullable Boolean chosen) {
            return new EnvelopeCheck(client, spam, isSystemMail, recipients, chosen);
        }
    }

    /**
     * The decision about a recipient. A client with a poor reputation is refused before the recipient is looked up.
     */
    public MailHandler.Verdict recipient(Peer peer, Supplier<MailHandler.Verdict> verdict) {
        switch (reputation.standing(peer.address())) {
            case POOR_ADDRESS -> {
                return MailHandler.Verdict.refused(POOR_ADDRESS);
            }
            case POOR_NETWORK -> {
                return MailHandler.Verdict.refused(POOR_NETWORK);
            }
            case FAIR -> {}
        }
        MailHandler.Verdict decision = verdict.get();
        if (decision.reply().equals(SmtpReply.NO_SUCH_MAILBOX)) {
            reputation.record(peer.address(), false);
        }
        return decision;
    }

    /** The virus scanner's reply in place of 250, or null; blocks while it scans. */
    @Nullable
    public SmtpReply refusal(Spool content) throws IOException {
        if (scanner == null) {
            return null;
        }
        try (InputStream message = content.open()) {
            message.skipNBytes(content.clientStart());
            return scanner.refusal(message);
        }
    }

    /** The same for an outgoing message; {@link VirusScanner} says when the reply is 5yz and when 4yz. */
    @Nullable
    public SmtpReply refusal(RawMessage raw) throws IOException {
        if (scanner == null || raw.isSystemMail()) {
            return null;
        }
        return scans.of(raw.sha256(), () -> {
            try (InputStream message = raw.open()) {
                return scanner.refusal(message);
            }
        });
    }

    /**
     * Asks Rspamd, if one is configured; blocks for seconds at most.
     *
     * @param isHandedIn whether it came over no network, so that it says nothing of one
     */
    public EnvelopeCheck checkEnvelope(Envelope envelope, Spool content, boolean isHandedIn) throws IOException {
        return new EnvelopeCheck(
                isHandedIn ? null : envelope.peer().address(),
                rspamd == null ? null : rspamd.isSpam(envelope, content),
                false,
                envelope.destinations().size(),
                null);
    }

    /** The same for mail from an inbox of this server. */
    public EnvelopeCheck checkEnvelope(String reversePath, RawMessage raw) throws IOException {
        Boolean spam = (rspamd == null || raw.isSystemMail()) ? null : rspamd.isSpam(reversePath, raw);
        return new EnvelopeCheck(null, spam, raw.isSystemMail(), 1, null);
    }

    /** Classifies a message. Empty when the service itself wrote it, or when the classification fails on it. */
    public Optional<SpamClassifier.Assessment> assess(
            String id, ParsedMessage message, List<String> labels, EnvelopeCheck check) {
        if (check.isSystemMail) {
            return Optional.empty();
        }
        return BestEffort.or(Optional.empty(), id, () -> Optional.of(classifier.assess(id, message, labels, check)));
    }

    /** Counts a message that was accepted. One that is refused temporarily comes again, and is counted then. */
    public void recordAccepted(Optional<SpamClassifier.Assessment> suspect, EnvelopeCheck check) {
        suspect.ifPresent(classifier::recordAccepted);
        if (check.client != null && suspect.isPresent()) {
            reputation.record(check.client, !suspect.get().isSpam());
        }
    }

    /** Whether an organization's models find a message to be spam. */
    public boolean isSpam(Optional<SpamClassifier.Assessment> suspect, UUID organization) {
        return suspect.isPresent()
                && BestEffort.or(
                        suspect.get().isSpam(),
                        suspect.get().id(),
                        () -> classifier.isSpam(suspect.get(), organization));
    }

    @Override
    public void close() {
        if (rspamd != null) {
            rspamd.close();
        }
    }
}
