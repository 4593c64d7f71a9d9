package dev.inboxd.inbound;

import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.Reply;
import dev.inboxd.smtp.server.Envelope;
import dev.inboxd.smtp.server.Intake;
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
public final class Filters implements AutoCloseable {
    private static final Reply POOR =
            Reply.of(450, "4.7.1", "Too much unwanted mail from your network lately, try again later");

    private final Classifier classifier;
    private final @Nullable VirusScanner scanner;
    private final Scans scans = new Scans(System::nanoTime);
    private final @Nullable Rspamd rspamd;
    private final Reputation reputation;

    /**
     * Filters.
     *
     * @param scanner null when nothing looks for viruses
     * @param rspamd null when the built-in facts judge
     */
    public Filters(
            Classifier classifier, @Nullable VirusScanner scanner, @Nullable Rspamd rspamd, InstantSource clock) {
        this(classifier, scanner, rspamd, new Reputation(clock, false));
    }

    Filters(Classifier classifier, @Nullable VirusScanner scanner, @Nullable Rspamd rspamd, Reputation reputation) {
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
     * @param letter whether the service itself wrote it, which nobody suspects
     * @param recipients how many of its recipients are here
     */
    record Sighting(@Nullable InetAddress client, @Nullable Boolean spam, boolean letter, int recipients) {}

    /** What becomes of a recipient; a client of poor reputation is not told whether there is one. */
    Intake.Verdict recipient(Peer peer, Supplier<Intake.Verdict> verdict) {
        if (reputation.isPoor(peer.address())) {
            return Intake.Verdict.refused(POOR);
        }
        Intake.Verdict found = verdict.get();
        if (found.reply().equals(Reply.NO_SUCH_MAILBOX)) {
            reputation.note(peer.address(), false);
        }
        return found;
    }

    /** What the client hears in place of 250, or null; blocks while a virus scanner looks. */
    @Nullable
    Reply refusal(Spool content) throws IOException {
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
    Reply refusal(Raw raw) throws IOException {
        if (scanner == null || raw.letter()) {
            return null;
        }
        return scans.of(raw.sha256(), () -> {
            try (InputStream message = raw.open()) {
                return scanner.refusal(message);
            }
        });
    }

    /** Lets Rspamd look, if there is one; blocks for seconds at most. */
    Sighting see(Envelope envelope, Spool content) throws IOException {
        return new Sighting(
                envelope.peer().address(),
                rspamd == null ? null : rspamd.isSpam(envelope, content),
                false,
                envelope.destinations().size());
    }

    /** The same for mail of an inbox here. */
    Sighting see(String reversePath, Raw raw) throws IOException {
        Boolean spam = (rspamd == null || raw.letter()) ? null : rspamd.isSpam(reversePath, raw);
        return new Sighting(null, spam, raw.letter(), 1);
    }

    /** Looks at a message; nothing is found when the service wrote it, or when the look fails. */
    Optional<Classifier.Suspect> look(String id, ParsedMessage message, List<String> labels, Sighting sighting) {
        if (sighting.letter) {
            return Optional.empty();
        }
        return Dispensable.or(Optional.empty(), id, () -> Optional.of(classifier.look(id, message, labels, sighting)));
    }

    /** The message was taken: only now it counts, as one that is put off comes again. */
    void taken(Optional<Classifier.Suspect> suspect, Sighting sighting) {
        suspect.ifPresent(classifier::taken);
        if (sighting.client != null && suspect.isPresent()) {
            reputation.note(sighting.client, !suspect.get().isSpam());
        }
    }

    /** Whether a message is spam to an organization. */
    boolean isSpam(Optional<Classifier.Suspect> suspect, UUID organization) {
        return suspect.isPresent()
                && Dispensable.or(
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
