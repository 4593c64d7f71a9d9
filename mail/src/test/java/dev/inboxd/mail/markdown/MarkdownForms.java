package dev.inboxd.mail.markdown;

/** Forms for tests. */
final class MarkdownForms {
    static final MarkdownForm USUAL = new MarkdownForm(QuoteForm.FOLD, LinkForm.FULL);

    private MarkdownForms() {}
}
