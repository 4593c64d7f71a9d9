package dev.inboxd.tenant.inbox;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import java.util.function.Consumer;

/** The search of inboxes by the words of their address and display name (mail.md §5.2). */
public final class InboxSearchHttp {
    private static final PageLimit LIMIT = PageLimit.search(100);
    private static final int SHORTEST = 2;
    private static final int LONGEST = 256;

    private final Database database;
    private final Consumer<Caller> limiter;

    /**
     * Searches among the inboxes of that database.
     *
     * @param limiter counts a search, or throws the refusal
     */
    public InboxSearchHttp(Database database, Consumer<Caller> limiter) {
        this.database = database;
        this.limiter = limiter;
    }

    /** Mounts the search for the organization or a pod. */
    public void mount(Routes level) {
        level.get(Permission.INBOX_READ, "/inboxes/search", this::search);
    }

    private Response search(Request request) {
        limiter.accept(request.caller());
        String query = query(request.query());
        PageRequest page = request.page(LIMIT, false);
        Slice<InboxSql.SearchHit> slice = database.read(tx -> page.slice(
                InboxSql.search(tx, request.view(), query, page),
                hit -> Cursor.of(
                        hit.rank(), hit.inbox().createdAt(), hit.inbox().id())));
        return Response.ok(page.listing("inboxes", slice, hit -> hit.inbox().json()));
    }

    private static String query(Query query) {
        String q = query.text("q");
        String trimmed = q == null ? "" : q.strip();
        if (trimmed.length() < SHORTEST || trimmed.length() > LONGEST) {
            query.fault("q", "q must have " + SHORTEST + " to " + LONGEST + " characters");
        }
        return trimmed;
    }
}
