package dev.inboxd.mailbox.markdown;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.markdown.MailMarkdown;
import dev.inboxd.mail.markdown.MarkdownPiece;
import dev.inboxd.mail.markdown.MarkdownSource;
import dev.inboxd.mail.markdown.MarkdownWindow;
import dev.inboxd.mail.reply.MailKind;
import org.jspecify.annotations.Nullable;

/**
 * A piece of the Markdown of a mail.
 *
 * @param isDegraded whether the mail could not be rendered within its limits, so that its words stand without structure
 * @param hidesWords whether the mail has words that a person does not see
 */
public record MarkdownAnswer(MarkdownPiece piece, boolean isDegraded, boolean hidesWords) {
    /** Of a mail of which nothing can be seen. */
    static final MarkdownAnswer NOTHING = new MarkdownAnswer(new MarkdownPiece("", 0, -1, 0, 0), false);

    /** Of a text that hides nothing. */
    MarkdownAnswer(MarkdownPiece piece, boolean isDegraded) {
        this(piece, isDegraded, false);
    }

    /**
     * The piece that is asked for of a mail with these bodies. Large mails wait for each other.
     *
     * @throws dev.inboxd.base.error.Problem {@code service_unavailable} when the wait takes too long
     */
    public static MarkdownAnswer of(MarkdownSource source, MarkdownQuery query) {
        String html = source.html() == null ? source.text() : source.html(); // a text may be HTML, too
        return RenderMemory.SHARED.rendered(html, () -> {
            MarkdownWindow window = new MarkdownWindow(query.offset(), query.most());
            boolean isDegraded = MailMarkdown.write(source, query.form(), window);
            return new MarkdownAnswer(window.piece(), isDegraded);
        });
    }

    /** The piece that is asked for of a draft with these bodies. */
    public static MarkdownAnswer ofDraft(
            @Nullable String text, @Nullable String html, InlineFileNames files, MarkdownQuery query) {
        return of(new MarkdownSource(null, text, null, html, MailKind.ANSWER, files.byContentId()), query);
    }

    /** The same piece of a mail that has words that a person does not see, or has none. */
    MarkdownAnswer hiding(boolean words) {
        return new MarkdownAnswer(piece, isDegraded, words);
    }

    /** The members of a single message (markdown.md §1). */
    public JsonObject members() {
        return JsonObject.of("markdown", piece.text())
                .with("tokens", piece.tokens())
                .with("truncated", piece.isTruncated())
                .with("next_offset", piece.isTruncated() ? piece.nextOffset() : null)
                .with("total_chars", piece.totalChars())
                .with("total_tokens", piece.totalTokens())
                .with("markdown_degraded", isDegraded ? true : null);
    }

    /** The members of an item of a list, which is read on by itself. */
    public JsonObject membersOfItem() {
        return members().without("next_offset");
    }
}
