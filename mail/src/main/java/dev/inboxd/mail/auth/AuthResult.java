package dev.inboxd.mail.auth;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Result of a check, in the words of RFC 8601 §2.7; not every method uses each. */
public enum AuthResult {
    /** No record, no signature or no chain to check. */
    NONE,
    /** The claimed origin is confirmed. */
    PASS,
    /** The claimed origin is refuted. */
    FAIL,
    /** SPF: the claimed origin is probably false. */
    SOFTFAIL,
    /** No statement: SPF's record says so, or a signature cannot be evaluated. */
    NEUTRAL,
    /** Valid, but not acceptable here: a weak key, an unsigned part. */
    POLICY,
    /** DNS gave no answer; a later check may get one. */
    TEMPERROR,
    /** The published record or the message is malformed. */
    PERMERROR;

    /** The word in the header field and in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The result with that word, or null. */
    public static @Nullable AuthResult parse(String word) {
        for (AuthResult outcome : values()) {
            if (outcome.wireName().equalsIgnoreCase(word)) {
                return outcome;
            }
        }
        return null;
    }
}
