package dev.inboxd.app.registry;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Apps over HTTP, for any key. Only routes: the rules are in {@link Apps}. */
public final class AppHttp {
    private static final int LONGEST_QUERY = 256;

    private final Apps apps;

    /** Routes to these apps. */
    public AppHttp(Apps apps) {
        this.apps = apps;
    }

    /** The two names of the collection: published clients call an app a provider. */
    public enum PathName {
        APPS("/apps", "app_id"),
        PROVIDERS("/providers", "provider_id");

        private final String collection;
        private final String parameter;

        PathName(String collection, String parameter) {
            this.collection = collection;
            this.parameter = parameter;
        }

        /** The path of the collection. */
        public String collection() {
            return collection;
        }

        /** The path of one app. */
        public String appPath() {
            return collection + "/{" + parameter + "}";
        }

        /** What a request's path calls the app. */
        public String of(Request request) {
            return request.path(parameter);
        }
    }

    /** Mounts the routes under both names. */
    public void mount(Routes organization) {
        for (PathName name : PathName.values()) {
            organization.get(Gate.ANY_KEY, name.collection(), this::list);
            organization.get(Gate.ANY_KEY, name.collection() + "/search", this::search);
            organization.get(
                    Gate.ANY_KEY,
                    name.appPath(),
                    request -> Response.ok(apps.get(request.caller().organization(), name.of(request))));
        }
    }

    private Response list(Request request) {
        AppCategory category = request.query().choice("category", AppCategory.values(), AppCategory::wireName);
        PageRequest page = request.page(PageLimit.list(100), false);
        Slice<JsonObject> slice = apps.list(request.caller().organization(), category, page);
        return Response.ok(page.listing("apps", slice, app -> app).with("providers", slice.items()));
    }

    private Response search(Request request) {
        String prefix = request.query().text("q");
        String wrong = wrong(prefix);
        if (wrong != null) {
            request.query().fault("q", wrong);
        }
        PageRequest page = request.page(PageLimit.search(100), false);
        List<JsonObject> matches =
                apps.search(request.caller().organization(), prefix == null ? "" : prefix, page.limit());
        return Response.ok(JsonObject.of("count", matches.size())
                .with("limit", page.limit())
                .with("apps", matches)
                .with("providers", matches));
    }

    private static @Nullable String wrong(@Nullable String prefix) {
        if (prefix == null || prefix.isEmpty()) {
            return "q is missing; give the beginning of an app's name";
        }
        if (prefix.codePointCount(0, prefix.length()) > LONGEST_QUERY) {
            return "q must have at most " + LONGEST_QUERY + " characters";
        }
        return prefix.indexOf('\0') >= 0 ? "q must not contain U+0000" : null;
    }
}
