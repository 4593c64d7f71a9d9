package dev.inboxd.mail.screen;

import org.jspecify.annotations.Nullable;

/**
 * Judges whether a mail tries to steer an AI agent that reads it. Signs are weighed: several of different kinds, or one
 * that says by itself what it wants, are enough; no single word is.
 */
public final class MailScreen {
    /** Names the rules. The number grows with every change of them. */
    public static final String MODEL = "inboxd-rules-2";

    private MailScreen() {}

    /**
     * Judges a mail. Takes time in proportion to what is read of it, and bounded memory.
     *
     * @return never null; {@link ScreenVerdict#FAILED} when the mail breaks the screen
     */
    public static ScreenVerdict judge(@Nullable ScreenInput input) {
        try {
            return input == null ? ScreenVerdict.CLEAR : score(input).verdict();
        } catch (RuntimeException | StackOverflowError unforeseen) {
            return ScreenVerdict.FAILED;
        }
    }

    /** The points of a mail: at first of all places alike; when they are enough, again with quotations weighed. */
    static Score score(ScreenInput input) {
        MailTexts texts = MailTexts.of(input);
        Score score = new Judgement(texts, false).score();
        return score.sum() < Score.ENOUGH ? score : new Judgement(texts, true).score();
    }
}
