package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request in the pipeline that nobody has admitted yet. */
final class PipelineRequest implements PaidRequest {
    private final Request request;
    private final RequestSource source;
    private final String path;
    private final Function<Caller, Response> handling;

    PipelineRequest(Request request, RequestSource source, String path, Function<Caller, Response> handling) {
        this.request = request;
        this.source = source;
        this.path = path;
        this.handling = handling;
    }

    @Override
    public String id() {
        return request.id();
    }

    @Override
    public String remoteAddress() {
        return request.remoteAddress();
    }

    @Override
    public String method() {
        return request.route().method();
    }

    @Override
    public String template() {
        return request.route().template();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String rawQuery() {
        return source.rawQuery();
    }

    @Override
    public boolean asksForWebSocket() {
        return source.asksForWebSocket();
    }

    @Override
    public List<String> fields(String name) {
        return source.fields(name);
    }

    @Override
    public byte[] body() {
        return source.ahead(request.route().limit());
    }

    @Override
    public LocalCall call(List<String> names) {
        Map<String, String> headers = new HashMap<>();
        for (String name : names) {
            String value = source.header(name);
            if (value != null) {
                headers.put(name, value);
            }
        }
        byte[] body = body();
        return new LocalCall(
                source.method(),
                path(),
                source.rawQuery(),
                body.length == 0 ? null : new String(body, StandardCharsets.UTF_8),
                headers);
    }

    @Override
    public Response proceed(Caller caller) {
        return handling.apply(caller);
    }
}
