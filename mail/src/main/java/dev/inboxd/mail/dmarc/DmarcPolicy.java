package dev.inboxd.mail.dmarc;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Policy of a domain's owner for mail that fails (RFC 9989 §4.7), the mildest first. */
public enum DmarcPolicy {
    /** No action. */
    NONE,
    /** The mail is suspicious. */
    QUARANTINE,
    /** The mail is to be refused. */
    REJECT;

    /** The word in DNS and in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The policy with that word, or null. */
    public static @Nullable DmarcPolicy parse(String word) {
        for (DmarcPolicy policy : values()) {
            if (policy.wireName().equalsIgnoreCase(word)) {
                return policy;
            }
        }
        return null;
    }

    /** The next milder policy, which applies to a domain in testing mode (t=y). */
    DmarcPolicy milder() {
        return this == REJECT ? QUARANTINE : NONE;
    }
}
