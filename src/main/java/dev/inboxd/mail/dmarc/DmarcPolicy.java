package dev.inboxd.mail.dmarc;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the owner of a domain wants done with mail that is not from it (RFC 9989 §4.7), the mildest first. */
public enum DmarcPolicy {
    /** Nothing. */
    NONE,
    /** To be taken as suspicious. */
    QUARANTINE,
    /** To be refused. */
    REJECT;

    /** The word on the wire and in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The policy of that word, or null. */
    public static @Nullable DmarcPolicy parse(String word) {
        for (DmarcPolicy policy : values()) {
            if (policy.wireName().equalsIgnoreCase(word)) {
                return policy;
            }
        }
        return null;
    }

    /** One step milder: what a domain asks for that only tries its policy out (t=y). */
    DmarcPolicy milder() {
        return this == REJECT ? QUARANTINE : NONE;
    }
}
