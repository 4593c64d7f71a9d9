package dev.inboxd.mail.spf;

import dev.inboxd.mail.auth.AuthResult;

/** Ends a check early: permerror or temperror (RFC 7208 §2.6). */
final class SpfException extends RuntimeException {
    private static final long serialVersionUID = 1;

    final transient AuthResult outcome;

    private SpfException(AuthResult outcome, String message) {
        super(message, null, false, false);
        this.outcome = outcome;
    }

    static SpfException permanent(String message) {
        return new SpfException(AuthResult.PERMERROR, message);
    }

    static SpfException temporary(String message) {
        return new SpfException(AuthResult.TEMPERROR, message);
    }
}
