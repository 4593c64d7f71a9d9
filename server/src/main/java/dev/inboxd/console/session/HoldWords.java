package dev.inboxd.console.session;

import dev.inboxd.base.job.Marks;
import java.util.UUID;

/** Why nothing leaves an installation, in words that every page shows. */
final class HoldWords {
    private HoldWords() {}

    /** The words; empty when everything goes its way. */
    static String of(Marks marks, UUID organization) {
        Marks.Hold hold = marks.hold();
        String cause = hold == null ? "move" : hold.reason();
        if (!marks.isHeld(organization)) {
            return "";
        }
        return switch (cause) {
            case "restore" ->
                "This server was restored from a backup, and everything that leaves is held: mail, webhooks and feeds."
                        + " Whoever runs it lets it go with: inboxd queue resume";
            case "hold" ->
                "Whoever runs this server holds everything that leaves: mail, webhooks and feeds wait. It goes on"
                        + " with: inboxd queue resume";
            default -> "This server, or your organization, is being moved: what leaves waits until that is done.";
        };
    }
}
