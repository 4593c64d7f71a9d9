package dev.inboxd.mail.challenge;

import dev.inboxd.mail.link.MailPlace;
import java.util.Locale;

/**
 * A code that a mail brings (markdown.md §9).
 *
 * @param code what is typed
 * @param confidence from 0 to 1: that this is the code that the mail is about
 * @param place where it was found
 * @param line the text around it, at most 160 characters
 */
public record MailedCode(String code, Kind kind, double confidence, MailPlace place, String line) {
    /** What a code is for. */
    public enum Kind {
        /** For one use, now. */
        ONE_TIME,
        /** One of a list of recovery codes. */
        BACKUP;

        /** The word for it in answers. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    MailedCode withConfidence(double adjusted) {
        return new MailedCode(code, kind, Math.round(adjusted * 100) / 100.0, place, line);
    }
}
