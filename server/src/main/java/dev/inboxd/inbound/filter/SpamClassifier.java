package dev.inboxd.inbound.filter;

import dev.inboxd.base.database.View;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.spam.FeatureWeights;
import dev.inboxd.mail.spam.Features;
import dev.inboxd.mail.spam.SpamAnalysis;
import dev.inboxd.mail.spam.SpamRule;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.spam.SpamModels;
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
 * Decides whether a message is spam: by the built-in rules on its structure, or by Rspamd where configured, and by the
 * model that the recipient's organization trained. The result is a label and never a refusal: a wrong one can be found
 * and undone.
 */
public final class SpamClassifier {
    /** Points added for a signature with very many recipients. */
    private static final double REPLAYED = 2;

    private final SpamModels models;
    private final InstantSource clock;
    private final DkimReplayDetector replays;

    /** A classifier with the trained models. */
    public SpamClassifier(SpamModels models, InstantSource clock) {
        this.models = models;
        this.clock = clock;
        this.replays = new DkimReplayDetector(clock);
    }

    /**
     * The assessment of a message, once for all its recipients.
     *
     * @param rspamdVerdict Rspamd's verdict, or null when it was not asked or did not answer
     * @param replayed whether its signature has very many recipients
     * @param copies counted when the message is accepted; null for mail of this server
     */
    public record Assessment(
            String id,
            SpamAnalysis analysis,
            @Nullable Boolean rspamdVerdict,
            boolean replayed,
            DkimReplayDetector.@Nullable Copies copies) {
        /** Whether it is spam without any organization's model. */
        boolean isSpam() {
            return analysis.facts().contains(SpamRule.TEST)
                    || (rspamdVerdict == null ? points() >= SpamRule.ENOUGH : rspamdVerdict);
        }

        private double points() {
            return analysis.points() + (replayed ? REPLAYED : 0);
        }
    }

    /** Assesses a message before it is stored. */
    Assessment assess(String id, ParsedMessage message, List<String> labels, ContentFilters.EnvelopeCheck check) {
        DkimReplayDetector.Copies copies =
                check.client() == null ? null : DkimReplayDetector.Copies.of(message, check.recipients());
        return new Assessment(
                id,
                inspect(message, labels, clock.instant()),
                check.spam(),
                copies != null && replays.areMany(copies),
                copies);
    }

    /** Counts a message that was accepted. */
    void recordAccepted(Assessment assessment) {
        if (assessment.copies != null) {
            replays.recordAccepted(assessment.copies);
        }
    }

    /** Whether the message is spam to that organization, with its model. */
    boolean isSpam(Assessment assessment, UUID organization) {
        double evidence = models.of(organization)
                .map(weights -> weights.evidence(assessment.analysis.features()))
                .orElse(0.0);
        boolean spam = assessment.isSpam() || evidence >= FeatureWeights.SPAM;
        if (spam) {
            LogLine.of("message_is_spam")
                    .with("id", assessment.id)
                    .with("facts", assessment.analysis.facts())
                    .with("points", assessment.points())
                    .with("rspamd", assessment.rspamdVerdict)
                    .with("learned", Math.round(evidence * 10) / 10.0)
                    .write();
        }
        return spam;
    }

    /** The features of a stored message at the time of its arrival; empty when it no longer exists. */
    public static Optional<Features> features(Messages messages, MessageContents contents, UUID organization, UUID id) {
        return messages.find(View.of(organization), id).map(stored -> {
            try (InputStream in = contents.open(organization, stored.content())) {
                return inspect(
                                MessageParser.parse(in),
                                stored.message().labels(),
                                stored.message().createdAt())
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
