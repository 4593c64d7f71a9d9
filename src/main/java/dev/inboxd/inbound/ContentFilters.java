package dev.inboxd.inbound;

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

/** All that judges mail beside who it is from: a virus scanner and an Rspamd where there are such, and our own judgement. */
public final class ContentFilters implements AutoCloseable {
    private static final SmtpReply POOR =
            SmtpReply.of(450, "4.7.1", "Too much unwanted mail from your network lately, try again later");

    private final SpamClassifier classifier;
    private final @Nullable VirusScanner scanner;
    private final ScanCache scans = new ScanCache(System::nanoTime);
    private final @Nullable Rspamd rspamd;
    private final NetworkReputation reputation;

    /**
     * Filters.
     *
     * @param scanner null when nothing looks for viruses
     * @param rspamd null when the built-in facts judge
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
     * What was found out about a message before it was read.
     *
     * @param client where it came from; null for mail of this server
     * @param spam whether it is spam to Rspamd; null when that does not say
     * @param isSystemMail whether the service itself wrote it, which nobody suspects
     * @param recipients how many of its recipients are here
     */
    record EnvelopeCheck(
            @Nullable InetAddress client, @Nullable Boolean spam, boolean isSystemMail, int recipients) {}

    /** What becomes of a recipient; a client of poor reputation is not told whether there is one. */
    MailHandler.Verdict recipient(Peer peer, Supplier<MailHandler.Verdict> verdict) {
        if (reputation.isPoor(peer.address())) {
            return MailHandler.Verdict.refused(POOR);
        }
        MailHandler.Verdict found = verdict.get();
        if (found.reply().equals(SmtpReply.NO_SUCH_MAILBOX)) {
            reputation.record(peer.address(), false);
        }
        return found;
    }

    /** What the client hears in place of 250, or null; blocks while a virus scanner looks. */
    @Nullable
    SmtpReply refusal(Spool content) throws IOException {
        if (scanner == null) {
            return null;
        }
        try (InputStream message = content.open()) {
            message.skipNBytes(content.clientStart());
            return scanner.refusal(message);
        }
    }

    /** The same of a message that this server holds; {@link VirusScanner} tells when it is 5yz and when 4yz. */
    @Nullable
    SmtpReply refusal(RawMessage raw) throws IOException {
        if (scanner == null || raw.isSystemMail()) {
            return null;
        }
        return scans.of(raw.sha256(), () -> {
            try (InputStream message = raw.open()) {
                return scanner.refusal(message);
            }
        });
    }

    /** Lets Rspamd look, if there is one; blocks for seconds at most. */
    EnvelopeCheck see(Envelope envelope, Spool content) throws IOException {
        return new EnvelopeCheck(
                envelope.peer().address(),
                rspamd == null ? null : rspamd.isSpam(envelope, content),
                false,
                envelope.destinations().size());
    }

    /** The same for mail of an inbox here. */
    EnvelopeCheck see(String reversePath, RawMessage raw) throws IOException {
        Boolean spam = (rspamd == null || raw.isSystemMail()) ? null : rspamd.isSpam(reversePath, raw);
        return new EnvelopeCheck(null, spam, raw.isSystemMail(), 1);
    }

    /** Looks at a message; nothing is found when the service wrote it, or when the look fails. */
    Optional<SpamClassifier.Assessment> assess(
            String id, ParsedMessage message, List<String> labels, EnvelopeCheck sighting) {
        if (sighting.isSystemMail) {
            return Optional.empty();
        }
        return BestEffort.or(Optional.empty(), id, () -> Optional.of(classifier.assess(id, message, labels, sighting)));
    }

    /** The message was taken: only now it counts, as one that is put off comes again. */
    void recordAccepted(Optional<SpamClassifier.Assessment> suspect, EnvelopeCheck sighting) {
        suspect.ifPresent(classifier::recordAccepted);
        if (sighting.client != null && suspect.isPresent()) {
            reputation.record(sighting.client, !suspect.get().isSpam());
        }
    }

    /** Whether a message is spam to an organization. */
    boolean isSpam(Optional<SpamClassifier.Assessment> suspect, UUID organization) {
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
