package dev.inboxd.apikey;

import dev.inboxd.access.Caller;
import dev.inboxd.access.Gate;
import dev.inboxd.access.Permission;
import dev.inboxd.http.Request;
import dev.inboxd.http.Response;
import dev.inboxd.http.Routes;
import dev.inboxd.id.Uuid7;
import dev.inboxd.json.JsonObject;
import dev.inboxd.page.Cursor;
import dev.inboxd.page.Page;
import dev.inboxd.page.PageLimit;
import dev.inboxd.page.Slice;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** API keys over HTTP, and who the caller is. No rule lives here. */
public final class ApiKeyHttp {
    private final ApiKeys keys;
    private final InstantSource clock;

    /** Routes to these keys. */
    public ApiKeyHttp(ApiKeys keys, InstantSource clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /** Mounts {@code GET /auth/me}; at the organization's level alone. */
    public void mountIdentity(Routes organization) {
        organization.get(Gate.ANY_KEY, "/auth/me", request -> Response.ok(identity(request.caller())));
    }

    /** Mounts the keys at a level. What is made there is bound to what the level's view shows. */
    public void mount(Routes level) {
        level.get(Permission.API_KEY_READ, "/api-keys", this::list);
        level.post(Permission.API_KEY_CREATE, "/api-keys", this::create);
        level.get(Permission.API_KEY_READ, "/api-keys/{api_key_id}", this::get);
        level.delete(Permission.API_KEY_DELETE, "/api-keys/{api_key_id}", this::delete);
    }

    private Response list(Request request) {
        ApiKey.Type type = request.query().choice("type", ApiKey.Type.values(),
                kind -> kind.name().toLowerCase(Locale.ROOT));
        Page page = request.page(PageLimit.list(100));
        // Every stored key is a bearer key.
        Slice<ApiKey> slice = type == ApiKey.Type.PUBLIC_KEY
                ? new Slice<>(List.of(), null) : keys.list(request.view(), page);
        Cursor end = slice.next();
        // identity.md §8.2: this one list has no limit member.
        return Response.ok(JsonObject.of("count", slice.items().size())
                .with("next_page_token", end == null ? null : page.next().apply(end))
                .with("api_keys", slice.items().stream().map(ApiKey::json).toList()));
    }

    private Response create(Request request) {
        NewApiKey wanted = NewApiKey.read(request.body(), clock.instant());
        ApiKeys.Issued issued = keys.create(request.caller(), request.view(), wanted);
        return Response.ok(issued.key().json().with("api_key", issued.secret()));
    }

    private Response get(Request request) {
        return Response.ok(keys.get(request.view(), id(request)).json());
    }

    private Response delete(Request request) {
        keys.delete(request.view(), id(request));
        return Response.ok();
    }

    private static UUID id(Request request) {
        UUID id = Uuid7.parse(request.path("api_key_id"));
        if (id == null) {
            throw ApiKeys.notFound();
        }
        return id;
    }

    /** Who a credential is (contract: identity.md §7.1). */
    private static JsonObject identity(Caller caller) {
        Object scopeId = switch (caller.scope()) {
            case ORGANIZATION -> caller.organization();
            case POD -> caller.view().pod();
            case INBOX -> caller.inboxName();
        };
        return JsonObject.of("scope_type", caller.scope().wire()).with("scope_id", scopeId)
                .with("organization_id", caller.organization()).with("pod_id", caller.view().pod())
                .with("inbox_id", caller.inboxName()).with("api_key_id", caller.apiKeyId());
    }
}
