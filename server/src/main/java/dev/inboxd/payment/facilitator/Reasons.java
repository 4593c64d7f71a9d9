package dev.inboxd.payment.facilitator;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The words and texts of facilitators, which come from outside and are shown to callers or written to the log. */
final class Reasons {
    /** A refusal without a word of its own. */
    static final String REFUSED = "refused";

    private static final int LONGEST_WORD = 64;
    private static final int LONGEST_TEXT = 200;
    private static final int LONGEST_NAME = 256;
    /** An address has 42 characters and may be read; a signature or a key is longer. */
    private static final int LONGEST_RUN = 44;

    /** The two words of x402 v2 for an outcome that the facilitator does not know either. */
    private static final Set<String> PENDING = Set.of("settlement_pending", "unexpected_settle_error");

    private Reasons() {}

    /** A reason that callers may read: at most 64 of the letters a to z, digits and low lines, else {@code refused}. */
    static String word(@Nullable Object reason) {
        return reason instanceof String text
                        && !text.isEmpty()
                        && text.length() <= LONGEST_WORD
                        && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')
                ? text
                : REFUSED;
    }

    /** Whether the outcome is open. */
    static boolean isPending(String word) {
        return PENDING.contains(word);
    }

    /** Whether the authorization was used, by whomever. */
    static boolean isUsed(String word) {
        return word.endsWith("nonce_already_used")
                || word.endsWith("already_settled")
                || word.equals("permit2_invalid_nonce");
    }

    /** Whether the time of the authorization is over, or it lies with the facilitator already. */
    static boolean isOver(String word) {
        return word.endsWith("valid_before") || word.endsWith("expired") || word.equals("duplicate_settlement");
    }

    /** A transaction or an account as it was named; null when that is no text of visible ASCII of 256 at most. */
    static @Nullable String name(@Nullable Object value) {
        return value instanceof String text
                        && !text.isEmpty()
                        && text.length() <= LONGEST_NAME
                        && text.chars().allMatch(c -> c > ' ' && c < 0x7F)
                ? text
                : null;
    }

    /** A free text for the log: 200 characters without control characters, and without what could be a signature. */
    static String text(@Nullable Object value) {
        if (!(value instanceof String full)) {
            return "";
        }
        String text = full.substring(0, Math.min(full.length(), 4 * LONGEST_TEXT));
        StringBuilder shown = new StringBuilder();
        for (int at = 0; at < text.length() && shown.length() < LONGEST_TEXT; ) {
            int end = at;
            while (end < text.length() && isOfKeys(text.charAt(end))) {
                end++;
            }
            if (end - at > LONGEST_RUN) {
                shown.append('…');
            } else if (end > at) {
                shown.append(text, at, end);
            } else {
                shown.append(Character.isISOControl(text.charAt(end)) ? ' ' : text.charAt(end));
                end++;
            }
            at = end;
        }
        return shown.substring(0, Math.min(shown.length(), LONGEST_TEXT)).strip();
    }

    private static boolean isOfKeys(char c) {
        return c < 128 && (Character.isLetterOrDigit(c) || "+/=_-".indexOf(c) >= 0);
    }
}
