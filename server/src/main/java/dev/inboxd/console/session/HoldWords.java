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
                "This server was restored from a backup. Mail, webhooks and feeds wait."
                        + " The operator resumes them with: inboxd queue resume";
            case "hold" ->
                "The operator put this server on hold. Mail, webhooks and feeds wait."
                        + " The operator resumes them with: inboxd queue resume";
            default ->
                "This server or your organization is being moved."
                        + " Mail, webhooks and feeds wait until that is done.";
        };
    }
}
