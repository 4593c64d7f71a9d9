package dev.inboxd.inbound;

import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.auth.Outcome;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.spam.Fact;
import dev.inboxd.mail.spam.Features;
import dev.inboxd.mail.spam.Inspection;
import dev.inboxd.mail.spam.Weights;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.Contents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.message.Shown;
import dev.inboxd.mailbox.spam.Models;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.log.LogLine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Judges what a message is like: by facts of its structure, or by Rspamd when there is one, and by what its recipient's
 * organization taught. The judgement is a label and never a refusal: a wrong one can be found and taken back.
 */
public final class Classifier {
    /** What a signature that comes to very many recipients adds to the points of facts. */
    private static final double REPLAYED = 2;

    private final Models models;
    private final InstantSource clock;
    private final Replays replays;

    /** A judge who knows what organizations taught. */
    public Classifier(Models models, InstantSource clock) {
        this.models = models;
        this.clock = clock;
        this.replays = new Replays(clock);
    }

    /**
     * A message that was looked at once, for all its recipients.
     *
     * @param judged whether it is spam to Rspamd, or null when that was not asked or did not answer
     * @param replayed whether its signature has come to very many recipients
     * @param copies what is counted of it when it is taken; null for mail of this server
     */
    record Suspect(
            String id, Inspection found, @Nullable Boolean judged, boolean replayed, Replays.@Nullable Copies copies) {
        /** Whether it is spam to anyone, whatever they taught. */
        boolean isSpam() {
            return found.facts().contains(Fact.TEST) || (judged == null ? points() >= Fact.ENOUGH : judged);
        }

        private double points() {
            return found.points() + (replayed ? REPLAYED : 0);
        }
    }

    /** Looks at a message that has just come. */
    Suspect look(String id, ParsedMessage message, List<String> labels, Filters.Sighting sighting) {
        Replays.Copies copies = sighting.client() == null ? null : Replays.Copies.of(message, sighting.recipients());
        return new Suspect(
                id,
                inspect(message, labels, clock.instant()),
                sighting.spam(),
                copies != null && replays.areMany(copies),
                copies);
    }

    /** The message was taken. */
    void taken(Suspect suspect) {
        if (suspect.copies != null) {
            replays.taken(suspect.copies);
        }
    }

    /** Whether the message is spam to that organization. */
    boolean isSpam(Suspect suspect, UUID organization) {
        double evidence = models.of(organization)
                .map(weights -> weights.evidence(suspect.found.features()))
                .orElse(0.0);
        boolean spam = suspect.isSpam() || evidence >= Weights.SPAM;
        if (spam) {
            LogLine.of("message_is_spam")
                    .with("id", suspect.id)
                    .with("facts", suspect.found.facts())
                    .with("points", suspect.points())
                    .with("rspamd", suspect.judged)
                    .with("learned", Math.round(evidence * 10) / 10.0)
                    .write();
        }
        return spam;
    }

    /** The features of a stored message, seen as when it came, or empty when it is no longer there. */
    public static Optional<Features> features(Messages messages, Contents contents, UUID organization, UUID id) {
        return messages.find(View.of(organization), id).map(found -> {
            try (InputStream in = contents.open(organization, found.content())) {
                return inspect(
                                MessageParser.parse(in),
                                found.message().labels(),
                                found.message().createdAt())
                        .features();
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
    }

    private static Inspection inspect(ParsedMessage message, List<String> labels, Instant at) {
        AuthenticationResults results = Shown.findings(message.headers());
        return Inspection.of(
                message,
                new Inspection.Circumstances(
                        at,
                        results != null && results.spf().result() == Outcome.FAIL,
                        labels.contains(Labels.UNAUTHENTICATED)));
    }
}
