package dev.inboxd.mailbox.markdown;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.mail.markdown.LinkForm;
import dev.inboxd.mail.markdown.MarkdownForm;
import dev.inboxd.mail.markdown.QuoteForm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Markdown that a request asks for (markdown.md §1).
 *
 * @param offset where the piece begins, in code points
 * @param most the most code points of the answer, in lists of each item; {@link Long#MAX_VALUE} without a bound
 */
public record MarkdownQuery(MarkdownForm form, long offset, long most) {
    /** The most items of a list with Markdown. */
    private static final int ITEMS = 50;
    /** Code points of an item when the request names no other bound. */
    private static final long OF_ITEM = 400;

    private static final long LARGEST = 1_000_000;
    private static final long FARTHEST = 999_999_999_999_999L;

    private static final String FORMAT = "format";
    private static final String MAX_CHARS = "max_chars";
    private static final String OFFSET = "offset";
    private static final String QUOTES = "quotes";
    private static final String LINKS = "links";

    private enum Format {
        MARKDOWN;

        String word() {
            return "markdown";
        }
    }

    private record Usual(QuoteForm quotes, long most, boolean takesOffset) {}

    /**
     * Of a single message, and of a draft, which are looked up before.
     *
     * @return null when the request asks for no Markdown
     * @throws Problem {@code validation_error} with every fault of the query
     */
    public static @Nullable MarkdownQuery ofMessage(Query query) {
        MarkdownQuery markdownQuery = read(query, new Usual(QuoteForm.FOLD, Long.MAX_VALUE, true));
        query.check();
        return markdownQuery;
    }

    /** Of a message that is waited for, which is read from its beginning; null when none is asked for. */
    public static @Nullable MarkdownQuery ofArrival(Query query) {
        return read(query, new Usual(QuoteForm.FOLD, Long.MAX_VALUE, false));
    }

    /** Of the items of a list or a search; null when no Markdown is asked for. */
    public static @Nullable MarkdownQuery ofItems(Query query) {
        return read(query, new Usual(QuoteForm.NONE, OF_ITEM, false));
    }

    /** Of a thread's messages together; null when no Markdown is asked for. */
    public static @Nullable MarkdownQuery ofTranscript(Query query) {
        return read(query, new Usual(QuoteForm.NONE, Long.MAX_VALUE, true));
    }

    /**
     * Of a file, which is shown whole: nothing is folded, and no target has a number.
     *
     * @return null when the request asks for no Markdown
     * @throws Problem {@code validation_error} with every fault of the query
     */
    public static @Nullable MarkdownQuery ofFile(Query query) {
        MarkdownQuery markdownQuery = ofMessage(query);
        return markdownQuery == null
                ? null
                : new MarkdownQuery(
                        new MarkdownForm(QuoteForm.FULL, LinkForm.FULL), markdownQuery.offset, markdownQuery.most);
    }

    /** Of the text that a link leads to, as it is, by its bound and its offset alone. */
    public static MarkdownQuery ofText(Query query) {
        Long most = query.integer(MAX_CHARS, 0, LARGEST);
        long offset = offset(query, true);
        query.check();
        return new MarkdownQuery(
                new MarkdownForm(QuoteForm.FULL, LinkForm.FULL), offset, most == null ? Long.MAX_VALUE : most);
    }

    /** The size of a page: with Markdown it is 50 at most. */
    public static PageLimit limit(@Nullable MarkdownQuery markdown, PageLimit shipped) {
        return markdown == null ? shipped : PageLimit.list(ITEMS);
    }

    private static @Nullable MarkdownQuery read(Query query, Usual usual) {
        Format format = query.choice(FORMAT, Format.values(), Format::word);
        boolean isAsked = format != null || query.has(FORMAT); // of another format there is one fault alone
        for (String name : List.of(MAX_CHARS, OFFSET, QUOTES, LINKS)) {
            if (query.has(name) && !isAsked) {
                query.fault(
                        name,
                        name + " is only taken with format=markdown",
                        Fault.Code.INVALID_VALUE,
                        "format=markdown beside it");
            }
        }
        if (format == null) {
            return null;
        }
        QuoteForm quotes = query.choice(QUOTES, QuoteForm.values(), QuoteForm::word);
        LinkForm links = query.choice(LINKS, LinkForm.values(), LinkForm::word);
        Long most = query.integer(MAX_CHARS, 0, LARGEST);
        MarkdownForm form =
                new MarkdownForm(quotes == null ? usual.quotes : quotes, links == null ? LinkForm.FULL : links);
        long offset = offset(query, usual.takesOffset);
        query.unbind(List.of(FORMAT, MAX_CHARS, OFFSET, QUOTES, LINKS));
        return new MarkdownQuery(form, offset, most == null ? usual.most : most);
    }

    private static long offset(Query query, boolean isTaken) {
        if (isTaken) {
            Long offset = query.integer(OFFSET, 0, FARTHEST);
            return offset == null ? 0 : offset;
        }
        if (query.has(OFFSET)) {
            query.fault(
                    OFFSET,
                    "offset is not taken here; read the message by itself to go on in it",
                    Fault.Code.INVALID_VALUE,
                    "no offset");
        }
        return 0;
    }
}
