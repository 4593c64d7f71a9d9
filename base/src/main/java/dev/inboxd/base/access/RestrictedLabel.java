package dev.inboxd.base.access;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The labels that hide a message from callers without the matching flag (mail.md §10.3). The bits are stored. */
public enum RestrictedLabel {
    SPAM(1, Permission.LABEL_SPAM_READ),
    BLOCKED(2, Permission.LABEL_BLOCKED_READ),
    UNAUTHENTICATED(4, Permission.LABEL_UNAUTHENTICATED_READ),
    TRASH(8, Permission.LABEL_TRASH_READ),
    /** Held until somebody releases it (security.md §2). Whoever reads mail may read it, by asking for it by name. */
    HELD(16, Permission.MESSAGE_READ);

    /** The bits of all restricted labels. */
    public static final int ALL = 31;

    private final int bit;
    private final Permission reader;

    RestrictedLabel(int bit, Permission reader) {
        this.bit = bit;
        this.reader = reader;
    }

    /** The label's text. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The label's bit in a stored {@code restricted} column and in a view. */
    public int bit() {
        return bit;
    }

    /** The bits of the restricted labels among these. */
    public static int bits(Collection<String> labels) {
        int bits = 0;
        for (String label : labels) {
            RestrictedLabel restricted = of(label);
            bits |= restricted == null ? 0 : restricted.bit;
        }
        return bits;
    }

    /** The bits of the labels that are hidden from a holder of these flags. */
    public static int hiddenFrom(Set<Permission> granted) {
        int bits = 0;
        for (RestrictedLabel restricted : values()) {
            bits |= granted.contains(restricted.reader) ? 0 : restricted.bit;
        }
        return bits;
    }

    /**
     * The SQL of the bits that a message does not have that a thread shows: all of them in a thread that shows clean
     * messages, held in one that shows others, none in one that has held messages alone.
     *
     * @param restricted the column with the thread's own bits
     */
    public static String excludedBits(String restricted) {
        return "case when " + restricted + " = 0 then -1 when " + restricted + " & " + HELD.bit + " = 0 then "
                + HELD.bit + " else 0 end";
    }

    private static @Nullable RestrictedLabel of(String label) {
        return switch (label) {
            case "spam" -> SPAM;
            case "blocked" -> BLOCKED;
            case "unauthenticated" -> UNAUTHENTICATED;
            case "trash" -> TRASH;
            case "held" -> HELD;
            default -> null;
        };
    }
}
