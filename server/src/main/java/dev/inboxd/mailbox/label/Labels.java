package dev.inboxd.mailbox.label;

import dev.inboxd.base.access.RestrictedLabel;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules for single labels (mail.md §10.1, §10.2). */
public final class Labels {
    public static final String RECEIVED = "received";
    public static final String SENT = "sent";
    public static final String DELIVERED = "delivered";
    public static final String BOUNCED = "bounced";
    public static final String DELAYED = "delayed";
    public static final String COMPLAINED = "complained";
    public static final String OPENED = "opened";
    public static final String REJECTED = "rejected";
    /** Mail that a machine wrote. Clients may remove it and add it: they may know better. */
    public static final String AUTO_REPLY = "auto-reply";

    /** A client's word that a received message needs no answer: nobody waits for one (mail.md §7.1). */
    public static final String SETTLED = "settled";

    public static final String UNREAD = "unread";
    public static final String SPAM = "spam";
    public static final String BLOCKED = "blocked";
    public static final String UNAUTHENTICATED = "unauthenticated";

    /** Mail that is held until somebody releases it (security.md §1). */
    public static final String HELD = "held";

    /** The largest number of labels on one message. */
    public static final int MOST = 100;

    private static final int LONGEST = 128;
    /** Set by the service alone; clients can neither add nor remove them. */
    private static final Set<String> SYSTEM =
            Set.of(RECEIVED, SENT, DELIVERED, BOUNCED, COMPLAINED, DELAYED, REJECTED, OPENED, "scheduled", HELD);
    /** Set by the service; clients may only remove them. */
    private static final Set<String> REMOVABLE = Set.of(BLOCKED, UNAUTHENTICATED);

    private static final List<String> OF_SERVICE = Stream.of(
                    SYSTEM.stream(),
                    REMOVABLE.stream(),
                    Stream.of(UNREAD, AUTO_REPLY),
                    Stream.of(RestrictedLabel.values()).map(RestrictedLabel::label))
            .flatMap(labels -> labels)
            .distinct()
            .sorted()
            .toList();

    private Labels() {}

    /** Whether the service sets the label by itself. */
    public static boolean isOfService(String label) {
        return OF_SERVICE.contains(label);
    }

    /** The labels that the service sets by itself. */
    public static List<String> ofService() {
        return OF_SERVICE;
    }

    /** The label as it is stored: trimmed and in lower case. */
    public static String normal(String label) {
        return label.strip().toLowerCase(Locale.ROOT);
    }

    /** Why a client may not add this normal label, or null when it may. */
    public static @Nullable String whyNotAdd(String label) {
        if (REMOVABLE.contains(label)) {
            return "The label " + label + " is set by the service and can only be removed";
        }
        // A query such as labels=a,b is a list, so a label with a comma could not be asked for.
        return label.indexOf(',') >= 0 ? "A label holds no comma" : whyNotRemove(label);
    }

    /** Why a client may not remove this normal label, or null when it may. */
    public static @Nullable String whyNotRemove(String label) {
        if (SYSTEM.contains(label)) {
            return "The system label " + label + " is set by the service and cannot be changed";
        }
        if (label.isEmpty() || label.codePointCount(0, label.length()) > LONGEST) {
            return "A label has 1 to " + LONGEST + " characters";
        }
        return label.codePoints().anyMatch(Character::isISOControl) ? "A label has no control characters" : null;
    }
}
