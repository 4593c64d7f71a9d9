package dev.inboxd.console.session;

import java.util.List;
import java.util.function.UnaryOperator;

/** What the last action did, as the redirect behind it says in the query of a page; only words of ours. */
final class NoteWords {
    /** What the query has of it. */
    static final List<String> NAMES = List.of("done", "undo", "n", "of", "stopped");

    private NoteWords() {}

    /** The words for a query; empty for nothing. */
    static String of(UnaryOperator<String> query) {
        return switch (query.apply("done")) {
            case "sent" -> "The message is on its way.";
            case "created" -> "Created.";
            case "deleted" -> "Deleted.";
            case "trashed" ->
                "Moved to the trash. You can restore it for 30 days."
                        + picked(query, "", "The others are deleted, held or in the trash already");
            case "kept" -> "Nothing was deleted. Held mail needs a decision first, and mail in the trash stays there.";
            case "picked" ->
                picked(query, "All selected conversations are changed.", "The others are deleted or too long")
                        .strip();
            case "restored" -> "Restored." + picked(query, "", "The others are deleted");
            case "purged" -> "Deleted for good.";
            case "changed" -> "Changed.";
            case "released" -> "Released. The agent is notified now.";
            case "approved" -> "Approved. The message is on its way.";
            case "blocked" -> "Deleted. The sender is blocked.";
            case "rejected" -> "Rejected. The agent gets your note.";
            case "stopped" -> "Stopped. Nothing is sent until an owner resumes.";
            case "resumed" -> "Resumed. Waiting mail is sent now.";
            case "freed" -> "Unblocked. Mail can be sent to this address again.";
            case "tested" -> "Test sent. The answer is below.";
            case "invited" -> "Invited. The invitation is on its way.";
            case "removed" -> "Removed. That person is signed out everywhere.";
            case "ended" -> "Session ended. That device is signed out.";
            case "passkey-added" -> "Passkey added. You can sign in with it next time. We sent you an email about it.";
            case "passkey-removed" -> "Passkey removed. Nobody can sign in with it any more.";
            case "settled" -> "It is no longer in the queue. It was sent, or is being sent.";
            case "due" -> "It is already due. It is sent as soon as the destination accepts mail.";
            case "retried" -> retried(query.apply("tried"), query.apply("of"));
            case "queued" -> "Queued. It is delivered at once.";
            default -> "";
        };
    }

    /** How many of those that were picked are changed, and why not the others; other words where all are. */
    private static String picked(UnaryOperator<String> query, String all, String others) {
        String done = query.apply("n").replaceAll("\\D", "");
        String of = query.apply("of").replaceAll("\\D", "");
        if (!query.apply("stopped").isEmpty()) {
            return " Stopped after " + done + " of " + of + ". Try the rest again.";
        }
        return done.equals(of) ? all : " " + done + " of " + of + " are changed. " + others + ".";
    }

    private static String retried(String tried, String all) {
        String numbers = tried + "/" + all;
        return tried.equals(all) || !numbers.matches("[0-9]{1,9}/[0-9]{1,9}")
                ? "Due now. It is sent as soon as the destination accepts mail."
                : tried + " of " + all + " recipients are due now. You can retry the next ones in five minutes.";
    }
}
