package dev.inboxd.inbound;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.spam.FeatureWeights;
import dev.inboxd.mail.spam.Features;
import dev.inboxd.mail.spam.SpamAnalysis;
import dev.inboxd.mail.spam.SpamRule;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.message.ReadableContent;
import dev.inboxd.mailbox.spam.SpamModels;
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
public final class SpamClassifier {
    /** What a signature that comes to very many recipients adds to the points of facts. */
    private static final double REPLAYED = 2;

    private final SpamModels models;
    private final InstantSource clock;
    private final DkimReplayDetector replays;

    /** A judge who knows what organizations taught. */
    public SpamClassifier(SpamModels models, InstantSource clock) {
        this.models = models;
        this.clock = clock;
        this.replays = new DkimReplayDetector(clock);
    }

    /**
     * A message that was looked at once, for all its recipients.
     *
     * @param judged whether it is spam to Rspamd, or null when that was not asked or did not answer
     * @param replayed whether its signature has come to very many recipients
     * @param copies what is counted of it when it is taken; null for mail of this server
     */
    record Assessment(
            String id,
            SpamAnalysis found,
            @Nullable Boolean judged,
            boolean replayed,
            DkimReplayDetector.@Nullable Copies copies) {
        /** Whether it is spam to anyone, whatever they taught. */
        boolean isSpam() {
            return found.facts().contains(SpamRule.TEST) || (judged == null ? points() >= SpamRule.ENOUGH : judged);
        }

        private double points() {
            return found.points() + (replayed ? REPLAYED : 0);
        }
    }

    /** Looks at a message that has just come. */
    Assessment assess(String id, ParsedMessage message, List<String> labels, ContentFilters.EnvelopeCheck sighting) {
        DkimReplayDetector.Copies copies =
                sighting.client() == null ? null : DkimReplayDetector.Copies.of(message, sighting.recipients());
        return new Assessment(
                id,
                inspect(message, labels, clock.instant()),
                sighting.spam(),
                copies != null && replays.areMany(copies),
                copies);
    }

    /** The message was taken. */
    void recordAccepted(Assessment suspect) {
        if (suspect.copies != null) {
            replays.recordAccepted(suspect.copies);
        }
    }

    /** Whether the message is spam to that organization. */
    boolean isSpam(Assessment suspect, UUID organization) {
        double evidence = models.of(organization)
                .map(weights -> weights.evidence(suspect.found.features()))
                .orElse(0.0);
        boolean spam = suspect.isSpam() || evidence >= FeatureWeights.SPAM;
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
    public static Optional<Features> features(Messages messages, MessageContents contents, UUID organization, UUID id) {
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

    private static SpamAnalysis inspect(ParsedMessage message, List<String> labels, Instant at) {
        AuthenticationResults results = ReadableContent.findings(message.headers());
        return SpamAnalysis.of(
                message,
                new SpamAnalysis.Context(
                        at,
                        results != null && results.spf().result() == AuthResult.FAIL,
                        labels.contains(Labels.UNAUTHENTICATED)));
    }
}
