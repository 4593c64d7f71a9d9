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
            case "sent" -> "The mail is on its way.";
            case "created" -> "Created.";
            case "deleted" -> "Deleted.";
            case "trashed" ->
                "In the trash. It can be had back for 30 days."
                        + picked(query, "", "the others are gone, held, or were there already");
            case "kept" ->
                "Nothing was deleted: held mail waits for its decision, and what is in the trash stays there.";
            case "picked" ->
                picked(query, "All picked conversations are changed.", "the others are gone, or too long")
                        .strip();
            case "restored" -> "Back in its place." + picked(query, "", "the others are gone");
            case "purged" -> "Deleted for good.";
            case "changed" -> "Changed.";
            case "released" -> "Released: the agent is told of it now.";
            case "approved" -> "Approved: the mail is on its way.";
            case "blocked" -> "Deleted, and the sender is blocked.";
            case "rejected" -> "Rejected: the agent gets your note.";
            case "stopped" -> "Stopped: nothing leaves until an owner resumes.";
            case "resumed" -> "Resumed: what waited goes on.";
            case "freed" -> "Freed: it is written to again.";
            case "tested" -> "Tested: the answer is below.";
            case "invited" -> "Invited: a mail is on its way.";
            case "removed" -> "Removed: that person is signed out everywhere.";
            case "ended" -> "Ended: that device is signed out.";
            case "passkey-added" -> "Added: sign in with it next time. A mail says so, too.";
            case "passkey-removed" -> "Removed: nobody signs in with it any more.";
            case "settled" -> "It waits no more: it has left, or it is being sent.";
            case "due" -> "It is due already: it is tried as soon as its destination takes mail.";
            case "retried" -> retried(query.apply("tried"), query.apply("of"));
            case "queued" -> "Queued: it is delivered at once.";
            default -> "";
        };
    }

    /** How many of those that were picked are changed, and why not the others; other words where all are. */
    private static String picked(UnaryOperator<String> query, String all, String others) {
        String done = query.apply("n").replaceAll("\\D", "");
        String of = query.apply("of").replaceAll("\\D", "");
        if (!query.apply("stopped").isEmpty()) {
            return " Stopped after " + done + " of " + of + ": try the rest again.";
        }
        return done.equals(of) ? all : " " + done + " of " + of + " are changed: " + others + ".";
    }

    private static String retried(String tried, String all) {
        String numbers = tried + "/" + all;
        return tried.equals(all) || !numbers.matches("[0-9]{1,9}/[0-9]{1,9}")
                ? "Due now: it is tried as soon as its destination takes mail."
                : tried + " of " + all + " recipients are due now: the next ones can be tried in five minutes.";
    }
}
