package dev.inboxd.mail.link;

import java.util.Locale;

/** What a link of a mail is for (markdown.md §9). */
public enum LinkKind {
    /** To confirm an address, to activate an account, to accept an invitation. */
    VERIFY,
    /** To choose a new password. */
    RESET,
    /** To sign in. */
    SIGN_IN,
    /** To leave a list. */
    UNSUBSCRIBE,
    /** Anything else. */
    UNCLASSIFIED;

    /** The word for it in answers. */
    public String word() {
        return this == UNCLASSIFIED ? "other" : name().toLowerCase(Locale.ROOT);
    }

    /** Whether a mail may ask for it before all else. */
    boolean isAsked() {
        return this == VERIFY || this == RESET || this == SIGN_IN;
    }
}
