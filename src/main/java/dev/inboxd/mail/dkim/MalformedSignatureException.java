package dev.inboxd.mail.dkim;

import dev.inboxd.mail.auth.Outcome;

/** A signature that cannot or must not be verified, with the outcome that this has. */
public final class MalformedSignatureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Outcome outcome;

    MalformedSignatureException(Outcome outcome, String message) {
        super(message, null, false, false);
        this.outcome = outcome;
    }

    static MalformedSignatureException syntax(String message) {
        return new MalformedSignatureException(Outcome.PERMERROR, message);
    }

    /** A signature that was read and does not hold. */
    public static MalformedSignatureException failing(String message) {
        return new MalformedSignatureException(Outcome.FAIL, message);
    }

    /** What the check of the signature ends with. */
    public Outcome outcome() {
        return outcome;
    }
}
