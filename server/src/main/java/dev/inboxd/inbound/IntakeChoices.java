package dev.inboxd.inbound;

import dev.inboxd.inbound.authentication.ChosenResults;
import dev.inboxd.screening.Judgment;
import org.jspecify.annotations.Nullable;

/**
 * What somebody chose for a mail that is handed in in development, in place of what would be found (sandbox.md §2).
 *
 * @param authentication null: it is checked
 * @param spam null: the filters decide
 * @param security null: it is judged, where mail is
 * @param copies told of what was stored
 */
public record IntakeChoices(
        @Nullable ChosenResults authentication,
        @Nullable Boolean spam,
        @Nullable Judgment security,
        StoredCopies copies) {
    /** Mail of which nothing is chosen. */
    static IntakeChoices none() {
        return new IntakeChoices(null, null, null, new StoredCopies());
    }

    /** Whether the mail came from nowhere: then it says nothing of the network of its client. */
    boolean isHandedIn() {
        return authentication != null;
    }
}
