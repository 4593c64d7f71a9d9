package dev.inboxd.mail.markdown.inline;

/** The Markdown of a text: its lines, with a line feed between two, and where the targets of its links stand. */
public final class InlineMarkdown {
    /** That of no text. */
    public static final InlineMarkdown EMPTY = new InlineMarkdown("", new int[0]);

    private final String text;
    private final int[] targets;

    InlineMarkdown(String text, int[] targets) {
        this.text = text;
        this.targets = targets;
    }

    /** The lines. */
    public String text() {
        return text;
    }

    /** How many places there are at which a target begins or ends; they follow each other in turn. */
    public int places() {
        return targets.length;
    }

    /** Such a place. */
    public int place(int i) {
        return targets[i];
    }
}
