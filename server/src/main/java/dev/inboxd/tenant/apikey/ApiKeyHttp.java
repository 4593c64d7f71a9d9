package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import java.time.InstantSource;

/** API keys over HTTP, and the identity of the caller. Only routes: the rules are in {@link ApiKeys}. */
public final class ApiKeyHttp {
    private final ApiKeys keys;
    private final InstantSource clock;

    /** Routes to these keys. */
    public ApiKeyHttp(ApiKeys keys, InstantSource clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /** Mounts {@code GET /auth/me}, for the organization alone. */
    public void mountIdentity(Routes organization) {
        organization.get(Gate.ANY_KEY, "/auth/me", request -> Response.ok(identity(request.caller())));
    }

    /**
     * Mounts the routes of keys for an organization, a pod or an inbox. A new key is bound to the view of its route.
     */
    public void mount(Routes level) {
        level.get(Permission.API_KEY_READ, "/api-keys", this::list);
        level.post(Permission.API_KEY_CREATE, "/api-keys", this::create);
        level.get(Permission.API_KEY_READ, "/api-keys/{api_key_id}", this::get);
        level.patch(Permission.API_KEY_UPDATE, "/api-keys/{api_key_id}", this::update);
        level.delete(Permission.API_KEY_DELETE, "/api-keys/{api_key_id}", this::delete);
    }

    private Response list(Request request) {
        ApiKey.Type type = request.query().choice("type", ApiKey.Type.values(), ApiKey.Type::wireName);
        PageRequest page = request.page(PageLimit.list(100));
        Slice<ApiKey> slice = keys.list(request.view(), type, page);
        Cursor end = slice.next();
        // identity.md §8.2: this one list has no limit member.
        return Response.ok(JsonObject.of("count", slice.items().size())
                .with("next_page_token", end == null ? null : page.next().apply(end))
                .with("api_keys", slice.items().stream().map(ApiKey::json).toList()));
    }

    /** The body determines the kind of key. */
    private Response create(Request request) {
        JsonBody body = request.body();
        if (NewPublicKey.isAskedBy(body)) {
            request.caller().requireKey();
            NewPublicKey requested = NewPublicKey.read(body, clock.instant());
            return Response.ok(request.change()
                    .of(keys.register(request.caller(), request.view(), requested))
                    .json());
        }
        NewApiKey requested = NewApiKey.read(body, clock.instant());
        ApiKeys.IssuedKey issued = keys.create(request.caller(), request.view(), requested);
        return Response.ok(issued.key().json().with("api_key", issued.secret()));
    }

    private Response get(Request request) {
        return Response.ok(keys.get(request.view(), name(request)).json());
    }

    private Response update(Request request) {
        ApiKeyChange change = ApiKeyChange.read(request.body());
        return Response.ok(request.change()
                .of(keys.update(request.caller(), request.view(), name(request), change))
                .json());
    }

    private Response delete(Request request) {
        ApiKey deleted = keys.delete(request.view(), name(request));
        request.change().target(deleted.id().toString());
        if (deleted.isForSignIn()) {
            request.change().alternative();
        }
        return Response.ok();
    }

    /** The id, or the alias of a public key. */
    private static String name(Request request) {
        return request.path("api_key_id");
    }

    /** The identity of a credential (identity.md §7.1). */
    private static JsonObject identity(Caller caller) {
        Object scopeId = switch (caller.scope()) {
            case ORGANIZATION -> caller.organization();
            case POD -> caller.view().pod();
            case INBOX -> caller.inboxName();
        };
        return JsonObject.of("scope_type", caller.scope().wireName())
                .with("scope_id", scopeId)
                .with("organization_id", caller.organization())
                .with("pod_id", caller.view().pod())
                .with("inbox_id", caller.inboxName())
                .with("api_key_id", caller.apiKeyId())
                .with("payer", caller.payer());
    }
}
