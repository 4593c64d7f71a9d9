package dev.inboxd.mail.markdown;

/** How the Markdown of a mail is written. */
public record MarkdownForm(QuoteForm quotes, LinkForm links) {}
