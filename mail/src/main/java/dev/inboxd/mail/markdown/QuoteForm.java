package dev.inboxd.mail.markdown;

import java.util.Locale;

/** What becomes of quoted conversation in Markdown (markdown.md §4). */
public enum QuoteForm {
    /** Each quotation is one line that says how long it is. */
    FOLD,
    /** Quotations stand as block quotes. */
    FULL,
    /** Quotations are left out. */
    NONE;

    /** The word for it in requests. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
