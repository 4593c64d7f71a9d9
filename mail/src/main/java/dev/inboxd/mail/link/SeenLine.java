package dev.inboxd.mail.link;

import java.util.List;

/**
 * A line that a person sees of a body.
 *
 * @param text in which a tab stands between two cells of a row; at most 1,000 characters
 * @param quoted whether it stands in a quotation that its place does not end
 * @param links those that begin in it, in their order
 */
public record SeenLine(String text, boolean quoted, List<SeenLink> links) {
    /** Longest text. */
    static final int LONGEST = 1_000;

    /** Copies the list. */
    public SeenLine {
        links = List.copyOf(links);
    }
}
