package dev.inboxd.mailbox.search;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mailbox.message.MessageContents;
import java.util.function.Consumer;
import java.util.function.Function;

/** Search over HTTP. Only routes: the rules are in {@link Searches}. */
public final class SearchHttp {
    private static final PageLimit LIMIT = PageLimit.search(100);

    private final Searches searches;
    private final Consumer<Caller> limiter;

    /**
     * Searches in the mail of that database.
     *
     * @param limiter counts a search, or throws the refusal
     */
    public SearchHttp(Database database, MessageContents contents, Consumer<Caller> limiter) {
        this.searches = new Searches(database, contents);
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
        Searches.SearchRequest search = searchRequest(request.query());
        PageRequest page = request.page(LIMIT, false);
        return answer("messages", page, searches.messages(request.view(), request.caller(), search, page));
    }

    private Response threads(Request request) {
        limiter.accept(request.caller());
        Searches.SearchRequest search = searchRequest(request.query());
        PageRequest page = request.page(LIMIT, false);
        return answer("threads", page, searches.threads(request.view(), search, page));
    }

    private static Searches.SearchRequest searchRequest(Query query) {
        return new Searches.SearchRequest(SearchQuery.read(query), query.instant("after"), query.instant("before"));
    }

    private static Response answer(String name, PageRequest page, Slice<JsonObject> slice) {
        return Response.ok(page.listing(name, slice, Function.identity()));
    }
}
