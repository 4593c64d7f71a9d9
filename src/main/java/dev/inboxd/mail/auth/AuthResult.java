package dev.inboxd.mail.auth;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a check ended, in the words that RFC 8601 §2.7 has for the methods; not every method uses each. */
public enum AuthResult {
    /** Nothing to check: no record, no signature, no chain. */
    NONE,
    /** The origin is what it says. */
    PASS,
    /** It is not. */
    FAIL,
    /** SPF: it is probably not. */
    SOFTFAIL,
    /** Nothing can be said: SPF's record says so, or a signature cannot be judged. */
    NEUTRAL,
    /** It holds, and is not good enough here: a weak key, an unsigned rest. */
    POLICY,
    /** The DNS did not answer; another time it may. */
    TEMPERROR,
    /** What was published or sent is broken. */
    PERMERROR;

    /** The word on the wire and in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The outcome of that word, or null. */
    public static @Nullable AuthResult parse(String word) {
        for (AuthResult outcome : values()) {
            if (outcome.wireName().equalsIgnoreCase(word)) {
                return outcome;
            }
        }
        return null;
    }
}
