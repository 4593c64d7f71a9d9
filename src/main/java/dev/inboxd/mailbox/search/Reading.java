package dev.inboxd.mailbox.search;

import dev.inboxd.mailbox.message.Contents;
import dev.inboxd.mailbox.message.RecentlyShown;
import dev.inboxd.mailbox.message.Selection;
import dev.inboxd.mailbox.message.Shown;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** What new messages say: remembered since they were stored, or read from their rows. One for each batch. */
final class Reading {
    private final Contents contents;
    private final RecentlyShown recent;
    private final Map<UUID, Shown> taken = new HashMap<>();

    Reading(Contents contents, RecentlyShown recent) {
        this.contents = contents;
        this.recent = recent;
    }

    /** Whether a message need not be read. */
    boolean has(UUID message) {
        Shown shown = recent.take(message);
        if (shown != null) {
            taken.put(message, shown);
        }
        return shown != null;
    }

    /** What is shown of a message. */
    Shown shown(Selection.Made made) {
        Shown known = taken.get(made.message().id());
        return known != null ? known : contents.shown(Objects.requireNonNull(made.content()));
    }
}
