package dev.inboxd.mail.screen;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges whether a mail tries to steer an AI agent that reads it. */
public final class MailScreen {
    /** Names the rules. The number grows with every change of them. */
    public static final String MODEL = "inboxd-rules-1";

    private static final int MAX_TEXT = 256 * 1024;

    private MailScreen() {}

    /**
     * Judges a mail. Takes time in proportion to what is read of it, and bounded memory.
     *
     * @return never null; {@link ScreenVerdict#FAILED} when the mail breaks the screen
     */
    public static ScreenVerdict judge(ScreenInput input) {
        try {
            Set<ScreenReason> found = EnumSet.noneOf(ScreenReason.class);
            look(input.subject(), found);
            look(input.text(), found);
            look(input.html(), found);
            return found.isEmpty() ? ScreenVerdict.CLEAR : new ScreenVerdict(true, List.copyOf(found));
        } catch (RuntimeException | StackOverflowError unforeseen) {
            return ScreenVerdict.FAILED;
        }
    }

    private static void look(@Nullable String text, Set<ScreenReason> found) {
        if (text == null) {
            return;
        }
        String folded = text.substring(0, Math.min(text.length(), MAX_TEXT)).toLowerCase(Locale.ROOT);
        if (folded.contains("ignore all previous instructions")
                || folded.contains("ignore your previous instructions")
                || folded.contains("ignore previous instructions")) {
            found.add(ScreenReason.INSTRUCTION_OVERRIDE);
        }
        if (folded.contains("<|im_start|>")) {
            found.add(ScreenReason.CHAT_MARKUP);
        }
    }
}
