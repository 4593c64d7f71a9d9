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
public record Inspection(Set<Fact> facts, Features features) {
    public Inspection {
        facts = Collections.unmodifiableSet(facts);
    }

    /**
     * How a message came.
     *
     * @param at when
     * @param forbidden whether its sender's domain says that it does not send from there (SPF fail)
     * @param unauthenticated whether nobody vouches for it
     */
    public record Circumstances(Instant at, boolean forbidden, boolean unauthenticated) {}

    /** Looks at a message. Time and memory are bounded: of long texts the beginning counts. */
    public static Inspection of(ParsedMessage message, Circumstances came) {
        Features.Collector features = new Features.Collector();
        HtmlTokens html = features.read(message);
        Set<Fact> facts = Facts.of(message, came.at);
        note(facts, Fact.LINK_TO_NUMBERS, features.tokens().ledToNumbers());
        note(facts, Fact.LINK_TO_ELSEWHERE, html.deceives());
        note(facts, Fact.ASKS_FOR_PASSWORD, html.asksForPassword());
        note(facts, Fact.HARDLY_A_WORD, message.body().text() == null && html.isPicture());
        note(facts, Fact.FORBIDDEN_SENDER, came.forbidden);
        note(facts, Fact.UNAUTHENTICATED, came.unauthenticated);
        facts.forEach(fact -> features.tokens().one("fact", fact.name()));
        return new Inspection(facts, features.features());
    }

    private static void note(Set<Fact> facts, Fact fact, boolean holds) {
        if (holds) {
            facts.add(fact);
        }
    }

    /** How much the facts speak for spam, where {@link Fact#ENOUGH} is spam. */
    public double points() {
        return facts.stream().mapToDouble(Fact::points).sum();
    }
}
