package dev.inboxd.base.http;

import dev.inboxd.base.json.ExactJson;
import dev.inboxd.base.json.Json;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call of a route as a request: it has the key, the memory and the end of the request in whose name it is made.
 *
 * @param outer that request
 * @param key its key
 */
record RouteCallSource(RequestSource outer, String key, RouteCall call) implements RequestSource {
    @Override
    public String id() {
        return outer.id();
    }

    @Override
    public String method() {
        return call.route().method();
    }

    @Override
    public boolean asksForWebSocket() {
        return false;
    }

    @Override
    public boolean isFromForeignPage(String rule) {
        return outer.isFromForeignPage(rule);
    }

    @Override
    public @Nullable String rawQuery() {
        return call.rawQuery();
    }

    /** The fields of the call. Those of the other request say something about that one. */
    @Override
    public @Nullable String header(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("authorization") ? "Bearer " + key : call.headers().get(lower);
    }

    @Override
    public String remoteAddress() {
        return outer.remoteAddress();
    }

    @Override
    public boolean isSecure() {
        return outer.isSecure();
    }

    @Override
    public boolean isForwarded() {
        return outer.isForwarded();
    }

    @Override
    public void onAnswered(Consumer<Boolean> then) {
        outer.onAnswered(then);
    }

    @Override
    public void reserve(int size) {
        outer.reserve(size);
    }

    @Override
    public void reserveText(int size) {
        outer.reserveText(size);
    }

    @Override
    public byte[] body(BodyLimit limit, boolean json) {
        byte[] body = call.body().isEmpty() ? new byte[0] : Json.write(new ExactJson(call.body()));
        if (body.length > limit.bytes()) {
            throw new BodyTooLargeException(limit);
        }
        return body;
    }
}
