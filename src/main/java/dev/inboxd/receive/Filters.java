package dev.inboxd.receive;

import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All that judges mail beside who it is from: a virus scanner and an Rspamd where there are such, and our own judgement. */
public final class Filters implements AutoCloseable {
    private static final Reply POOR = Reply.of(450, "4.7.1",
            "Too much unwanted mail from your network lately, try again later");

    private final Classifier classifier;
    private final @Nullable VirusScanner scanner;
    private final @Nullable Rspamd rspamd;
    private final Reputation reputation;

    /**
     * Filters.
     *
     * @param scanner null when nothing looks for viruses
     * @param rspamd null when the built-in facts judge
     */
    public Filters(Classifier classifier, @Nullable VirusScanner scanner, @Nullable Rspamd rspamd, InstantSource clock) {
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
     */
    record Sighting(@Nullable InetAddress client, @Nullable Boolean spam) {
        static final Sighting OWN = new Sighting(null, null);
    }

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
    @Nullable Reply refusal(Spool content) throws IOException {
        if (scanner == null) {
            return null;
        }
        try (InputStream message = content.open()) {
            message.skipNBytes(content.clientStart());
            return scanner.refusal(message);
        }
    }

    /** Lets Rspamd look, if there is one; blocks for seconds at most. */
    Sighting see(Envelope envelope, Spool content) throws IOException {
        return new Sighting(envelope.peer().address(), rspamd == null ? null : rspamd.isSpam(envelope, content));
    }

    /** Looks at a message; null when it is one of this server's own, which nobody suspects. */
    Classifier.@Nullable Suspect look(String id, ParsedMessage message, List<String> labels, Sighting sighting) {
        if (sighting.client == null) {
            return null;
        }
        Classifier.Suspect suspect = classifier.look(id, message, labels, sighting.spam);
        reputation.note(sighting.client, !suspect.isSpam());
        return suspect;
    }

    /** Whether a message is spam to an organization. */
    boolean isSpam(Classifier.@Nullable Suspect suspect, UUID organization) {
        return suspect != null && classifier.isSpam(suspect, organization);
    }

    @Override
    public void close() {
        if (rspamd != null) {
            rspamd.close();
        }
    }
}
