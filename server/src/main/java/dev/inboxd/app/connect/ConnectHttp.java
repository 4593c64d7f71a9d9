package dev.inboxd.app.connect;

import dev.inboxd.app.registry.AppHttp;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Connect over HTTP (apps.md §4). Only routes: the rules are in {@link Connects}. */
public final class ConnectHttp {
    private static final int LONGEST_KEY = 256;
    private static final int LONGEST_INBOX = 320;

    private final Connects connects;

    /** Routes to these links. */
    public ConnectHttp(Connects connects) {
        this.connects = connects;
    }

    /** Mounts the route under both names of apps. */
    public void mount(Routes organization) {
        for (AppHttp.PathName name : AppHttp.PathName.values()) {
            organization.post(
                    Permission.PROVIDER_CONNECT,
                    name.appPath() + "/connect",
                    request -> connect(request, name.of(request)));
        }
    }

    private Response connect(Request request, String app) {
        JsonBody body = request.body();
        String inbox = body.string("inbox_id").max(LONGEST_INBOX).optional();
        boolean accepts = body.flag("accept_disclosure", false);
        body.check();
        String key = idempotencyKey(request.header("Idempotency-Key"));
        Connects.MagicLink link = request.change()
                .of(connects.connect(
                        request.caller(),
                        new Connects.LinkRequest(app, inbox == null || inbox.isEmpty() ? null : inbox, accepts, key)));
        return Response.of(
                        202,
                        JsonObject.of("api_key_id", link.key())
                                .with("magic_url", link.url())
                                .with("expires_at", link.expiresAt()))
                .header("Cache-Control", "no-store");
    }

    /** Ruling 62. */
    private static @Nullable String idempotencyKey(@Nullable String header) {
        boolean isValid = header == null
                || (!header.isEmpty()
                        && header.length() <= LONGEST_KEY
                        && header.chars().allMatch(ConnectHttp::isUnreserved));
        if (!isValid) {
            throw Problem.invalid(
                    "Idempotency-Key",
                    "Idempotency-Key must be 1 to " + LONGEST_KEY + " of the characters A-Z a-z 0-9 - . _ ~");
        }
        return header;
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
    }
}
