package dev.inboxd.mailbox.search;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mailbox.markdown.MarkdownItems;
import dev.inboxd.mailbox.markdown.MarkdownQuery;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.thread.MailFilter;
import java.util.function.Consumer;

/** Search over HTTP. Only routes: the rules are in {@link Searches}. */
public final class SearchHttp {
    private static final PageLimit LIMIT = PageLimit.search(100);

    private final Searches searches;
    private final MarkdownItems listed;
    private final Consumer<Caller> limiter;

    /**
     * Searches in the mail of that database.
     *
     * @param listed shows what is found as Markdown
     * @param limiter counts a search, or throws the refusal
     */
    public SearchHttp(Database database, MessageContents contents, MarkdownItems listed, Consumer<Caller> limiter) {
        this.searches = new Searches(database, contents);
        this.listed = listed;
        this.limiter = limiter;
    }

    /** Mounts the search of messages, which only an inbox has (mail.md §6.2). */
    public void mountMessages(Routes inbox) {
        inbox.get(Permission.MESSAGE_READ, "/messages/search", this::messages);
    }

    /** Mounts the search of threads, alike for organizations, pods and inboxes (mail.md §7). */
    public void mountThreads(Routes level) {
        level.get(Permission.MESSAGE_READ, "/threads/search", this::threads);
    }

    private Response messages(Request request) {
        limiter.accept(request.caller());
        Searches.SearchRequest search = searchRequest(request.query(), "from", "to");
        MarkdownQuery markdownQuery = MarkdownQuery.ofItems(request.query());
        PageRequest page = request.page(MarkdownQuery.limit(markdownQuery, LIMIT), false);
        Slice<MarkdownItems.Item> items = searches.messages(request.view(), request.caller(), search, page);
        Slice<?> shown =
                markdownQuery == null ? items.map(MarkdownItems.Item::json) : listed.of(request, items, markdownQuery);
        return answer("messages", page, shown);
    }

    private Response threads(Request request) {
        limiter.accept(request.caller());
        Searches.SearchRequest search = searchRequest(request.query(), "senders", "recipients");
        MarkdownQuery markdownQuery = MarkdownQuery.ofItems(request.query());
        PageRequest page = request.page(MarkdownQuery.limit(markdownQuery, LIMIT), false);
        Slice<MarkdownItems.Item> items = searches.threads(request.view(), search, page);
        Slice<?> shown =
                markdownQuery == null ? items.map(MarkdownItems.Item::json) : listed.of(request, items, markdownQuery);
        return answer("threads", page, shown);
    }

    private static Searches.SearchRequest searchRequest(Query query, String senders, String recipients) {
        return new Searches.SearchRequest(SearchQuery.read(query), MailFilter.ofSearch(query, senders, recipients));
    }

    private static Response answer(String name, PageRequest page, Slice<?> slice) {
        return Response.ok(page.listing(name, slice, item -> item));
    }
}
