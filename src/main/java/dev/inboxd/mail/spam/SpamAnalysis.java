package dev.inboxd.mail.spam;

import dev.inboxd.mail.message.ParsedMessage;
import java.time.Instant;
import java.util.Collections;
import java.util.Set;

/**
 * What a look at a message finds.
 *
 * @param facts of its structure
 * @param features to compare it by with others
 */
public record SpamAnalysis(Set<SpamRule> facts, Features features) {
    public SpamAnalysis {
        facts = Collections.unmodifiableSet(facts);
    }

    /**
     * How a message came.
     *
     * @param at when
     * @param forbidden whether its sender's domain says that it does not send from there (SPF fail)
     * @param unauthenticated whether nobody vouches for it
     */
    public record Context(Instant at, boolean forbidden, boolean unauthenticated) {}

    /** Looks at a message. Time and memory are bounded: of long texts the beginning counts. */
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
        facts.forEach(fact -> features.tokens().one("fact", fact.name()));
        return new SpamAnalysis(facts, features.features());
    }

    private static void note(Set<SpamRule> facts, SpamRule fact, boolean holds) {
        if (holds) {
            facts.add(fact);
        }
    }

    /** How much the facts speak for spam, where {@link SpamRule#ENOUGH} is spam. */
    public double points() {
        return facts.stream().mapToDouble(SpamRule::points).sum();
    }
}
