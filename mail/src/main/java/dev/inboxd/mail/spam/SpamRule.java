package dev.inboxd.mail.spam;

/**
 * Rules about the structure of a message that indicate spam, independent of subject and language, with their points. A
 * rule that honest programs match now and then has few points, so that several rules must match.
 */
public enum SpamRule {
    /** The Generic Test for Unsolicited Bulk Email: always spam, so that anyone can test the handling of spam. */
    TEST(100),
    /** RFC 5322 §3.6: every message has a date and an author. */
    NO_DATE(1),
    NO_AUTHOR(2),
    /** Dated long before or after its reception. */
    ANOTHER_TIME(1.5),
    /** The author's display name is an address of another domain. */
    NAME_IS_OTHER_ADDRESS(3),
    /** Replies go to another domain than the author's. */
    ANSWERS_ELSEWHERE(0.5),
    SHOUTED_SUBJECT(1),
    /** Look-alike or invisible letters within words. */
    DISGUISED_WORDS(2.5),
    /** The subject begins like a reply's, but the message replies to none. */
    PRETENDED_ANSWER(1),
    /** HTML alone, with hardly any words. */
    HARDLY_A_WORD(1),
    /** A link to a numeric address. */
    LINK_TO_NUMBERS(2.5),
    /** A link whose text shows another host than its target. */
    LINK_TO_ELSEWHERE(1.5),
    /** A form that asks for a password. */
    ASKS_FOR_PASSWORD(2.5),
    /** An executable attachment. */
    RUNS_WHEN_OPENED(3.5),
    /** Other programs read the message differently (attack A16). */
    AMBIGUOUS(1),
    /** The sender's domain does not send from this host (RFC 7208 §8.4). */
    FORBIDDEN_SENDER(2),
    /** No check authenticated it. */
    UNAUTHENTICATED(1);

    /** Points that make a message spam. */
    public static final double ENOUGH = 5;

    private final double points;

    SpamRule(double points) {
        this.points = points;
    }

    /** Points of the rule; a sum of {@link #ENOUGH} is spam. */
    public double points() {
        return points;
    }
}
