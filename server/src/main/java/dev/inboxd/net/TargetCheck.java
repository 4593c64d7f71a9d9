package dev.inboxd.net;

/** Result of checking a URL without network access. */
public sealed interface TargetCheck {
    /** Reason for a refusal. */
    enum Reason {
        SYNTAX,
        SCHEME,
        USERINFO,
        FRAGMENT,
        HOST,
        PORT,
        ADDRESS
    }

    /** The URL may be used; a name is still resolved and vetted at every connection. */
    record Valid(Target target) implements TargetCheck {}

    /** The URL may not be used; {@code message} is one sentence for its author. */
    record Invalid(Reason reason, String message) implements TargetCheck {}

    /** A refusal. */
    static TargetCheck refused(Reason reason, String message) {
        return new Invalid(reason, message);
    }
}
