package dev.inboxd.mail.spam;

import dev.inboxd.mail.message.ParsedMessage;
import java.time.Instant;
import java.util.Collections;
import java.util.Set;

/**
 * Result of analysing a message.
 *
 * @param facts the matching rules
 * @param features for comparison with learned messages
 */
public record SpamAnalysis(Set<SpamRule> facts, Features features) {
    public SpamAnalysis {
        facts = Collections.unmodifiableSet(facts);
    }

    /**
     * Circumstances of the reception.
     *
     * @param at time of reception
     * @param forbidden whether the sender's domain does not send from this host (SPF fail)
     * @param unauthenticated whether no check authenticated the message
     */
    public record Context(Instant at, boolean forbidden, boolean unauthenticated) {}

    /**
     * Analyses a message. Time and memory are bounded: only the beginning of long texts counts.
     *
     * @param message the parsed message
     * @param came when it came, and what the checks of its origin found
     */
    public static SpamAnalysis of(ParsedMessage message, Context came) {
        Features.Collector features = new Features.Collector();
        HtmlTokens html = features.read(message);
        Set<SpamRule> facts = SpamRuleMatcher.of(message, came.at);
        note(facts, SpamRule.LINK_TO_NUMBERS, features.tokens().ledToNumbers());
        note(facts, SpamRule.LINK_TO_ELSEWHERE, html.deceives());
        note(facts, SpamRule.ASKS_FOR_PASSWORD, html.asksForPassword());
        note(facts, SpamRule.HARDLY_A_WORD, message.body().text() == null && html.isPicture());
        note(facts, SpamRule.FORBIDDEN_SENDER, came.forbidden);
        note(facts, SpamRule.UNAUTHENTICATED, came.unauthenticated);
        facts.forEach(fact -> features.tokens().feature("fact", fact.name()));
        return new SpamAnalysis(facts, features.features());
    }

    private static void note(Set<SpamRule> facts, SpamRule fact, boolean holds) {
        if (holds) {
            facts.add(fact);
        }
    }

    /** Points of the matching rules; {@link SpamRule#ENOUGH} is spam. */
    public double points() {
        return facts.stream().mapToDouble(SpamRule::points).sum();
    }
}
