package dev.inboxd.mail.markdown;

import java.util.Locale;

/** How the targets of links stand in Markdown (markdown.md §3). */
public enum LinkForm {
    /** Whole. */
    FULL,
    /** A target of more than 200 characters is {@code link:N}, N being its number among the links of the mail. */
    SHORT;

    /** The word for it in requests. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
