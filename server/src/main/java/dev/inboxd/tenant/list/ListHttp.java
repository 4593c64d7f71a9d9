package dev.inboxd.tenant.list;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists over HTTP, alike for organizations, pods and inboxes. Only routes: the rules are in {@link Lists}. */
public final class ListHttp {
    private static final String LIST = "/lists/{direction}/{type}";
    private static final String ENTRY = LIST + "/{entry}";
    private static final int LONGEST_REASON = 512;

    private final Lists lists;

    /** Routes to these lists. */
    public ListHttp(Lists lists) {
        this.lists = lists;
    }

    /** Mounts the routes; the level determines the owner of the lists. */
    public void mount(Routes level) {
        level.get(Permission.LIST_ENTRY_READ, LIST, this::list);
        level.post(Permission.LIST_ENTRY_CREATE, LIST, this::create);
        level.get(Permission.LIST_ENTRY_READ, ENTRY, this::get);
        level.delete(Permission.LIST_ENTRY_DELETE, ENTRY, this::delete);
    }

    private Response list(Request request) {
        Lists.OwnerList list = ownerList(request);
        PageRequest page = request.page(PageLimit.list(100), true);
        UUID organization = request.view().organization();
        return Response.ok(page.listing("entries", lists.list(list, page), entry -> entry.json(organization)));
    }

    private Response create(Request request) {
        Lists.OwnerList list = ownerList(request);
        JsonBody body = request.body();
        ListKey key = body.string("entry")
                .multiline() // the name of a mailbox may hold a tab, and is left out
                .as(ListKey::ofEntry, "an address like jo@example.com or a domain like example.com");
        if (!body.isGiven("entry")) {
            body.missing("entry");
        }
        String reason = body.string("reason").max(LONGEST_REASON).optional();
        body.check();
        ListEntry entry = request.change().of(lists.create(list, Objects.requireNonNull(key), reason));
        return Response.ok(entry.json(request.view().organization()));
    }

    private Response get(Request request) {
        return Response.ok(lists.get(ownerList(request), entry(request))
                .json(request.view().organization()));
    }

    private Response delete(Request request) {
        ListEntry deleted = lists.delete(ownerList(request), entry(request));
        request.change().target(deleted.key().text());
        return Response.ok();
    }

    /** The entry in the path; null when it is neither an address nor a domain, and so on no list. */
    private static @Nullable ListKey entry(Request request) {
        return ListKey.ofEntry(request.path("entry"));
    }

    private static Lists.OwnerList ownerList(Request request) {
        Direction direction = Direction.ofWire(request.path("direction"));
        ListType type = ListType.ofWire(request.path("type"));
        if (direction == null || type == null) {
            throw Problem.of(
                    ErrorCode.NOT_FOUND,
                    "Route not found",
                    "The path has send, receive or reply after lists, and then allow or block.");
        }
        return new Lists.OwnerList(request.route().level(), request.view(), new ListName(direction, type));
    }
}
