package dev.inboxd.mail.spam;

/**
 * Something about a message's structure that speaks for spam, whatever its subject and language, with its points. What an
 * honest program does now and then has few, so that several must meet.
 */
public enum SpamRule {
    /** The Generic Test for Unsolicited Bulk Email: always spam, so that anyone can see what becomes of spam. */
    TEST(100),
    /** RFC 5322 §3.6: every message has a date and an author. */
    NO_DATE(1),
    NO_AUTHOR(2),
    /** Written long before it came, or long after. */
    ANOTHER_TIME(1.5),
    /** The author's name is an address of another domain. */
    NAME_IS_OTHER_ADDRESS(3),
    /** Answers go elsewhere than to the author's domain. */
    ANSWERS_ELSEWHERE(0.5),
    SHOUTED_SUBJECT(1),
    /** Letters that look like others, or that nobody sees, within words. */
    DISGUISED_WORDS(2.5),
    /** The first line a person sees pretends to answer, but nothing is answered. */
    PRETENDED_ANSWER(1),
    /** HTML alone, and in it hardly a word. */
    HARDLY_A_WORD(1),
    /** A link to an address in numbers. */
    LINK_TO_NUMBERS(2.5),
    /** A link that shows another host than it leads to. */
    LINK_TO_ELSEWHERE(1.5),
    /** A form that asks for a password. */
    ASKS_FOR_PASSWORD(2.5),
    /** A file that runs when it is opened. */
    RUNS_WHEN_OPENED(3.5),
    /** Read by others otherwise than by us (attack A16). */
    AMBIGUOUS(1),
    /** Its sender's domain says that it does not send from there (RFC 7208 §8.4). */
    FORBIDDEN_SENDER(2),
    /** Nobody vouches for it. */
    UNAUTHENTICATED(1);

    /** So many points are spam. */
    public static final double ENOUGH = 5;

    private final double points;

    SpamRule(double points) {
        this.points = points;
    }

    /** How much it speaks for spam; {@link #ENOUGH} in all is spam. */
    public double points() {
        return points;
    }
}
