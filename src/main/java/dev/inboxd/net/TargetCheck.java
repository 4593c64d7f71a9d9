package dev.inboxd.net;

/** Whether a URL may be used, found out without any network access. */
public sealed interface TargetCheck {
    /** Why a URL was refused. */
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

    /** Shorthand for the many places that refuse. */
    static TargetCheck refused(Reason reason, String message) {
        return new Invalid(reason, message);
    }
}
