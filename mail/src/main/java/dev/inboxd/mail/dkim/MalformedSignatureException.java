package dev.inboxd.mail.dkim;

import dev.inboxd.mail.auth.AuthResult;

/** A signature that cannot or must not be verified, with the result for it. */
public final class MalformedSignatureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient AuthResult outcome;

    MalformedSignatureException(AuthResult outcome, String message) {
        super(message, null, false, false);
        this.outcome = outcome;
    }

    static MalformedSignatureException syntax(String message) {
        return new MalformedSignatureException(AuthResult.PERMERROR, message);
    }

    /** A readable signature that does not verify. */
    public static MalformedSignatureException failing(String message) {
        return new MalformedSignatureException(AuthResult.FAIL, message);
    }

    /** The result of the signature. */
    public AuthResult outcome() {
        return outcome;
    }
}
