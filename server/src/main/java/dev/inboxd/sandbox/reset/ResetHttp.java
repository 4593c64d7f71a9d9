package dev.inboxd.sandbox.reset;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.http.OwnPages;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.sandbox.access.WorldOwner;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lets the world of an organization, or the whole server, begin anew, over HTTP. */
public final class ResetHttp {
    private static final String KEEP = "keep";
    private static final String EVERYTHING = "everything";
    private static final String ORGANIZATIONS = "organizations";
    private static final String ALL = "all";

    private final WorldReset reset;
    private final ServerReset server;

    /** A route to those resets. */
    ResetHttp(WorldReset reset, ServerReset server) {
        this.reset = reset;
        this.server = server;
    }

    /** Mounts the route. */
    void mount(Routes root) {
        root.post(Gate.ANY_KEY, "/sandbox/reset", new OwnPages(this::run));
    }

    private Response run(Request request) {
        WorldOwner.require(request.caller());
        JsonBody body = request.body();
        Set<ResetPart> retained = retained(body);
        boolean all = ALL.equals(body.string(ORGANIZATIONS).max(ALL.length()).optional());
        if (everything(body, all, retained)) {
            return Response.ok(server.run(request.view().organization(), all));
        }
        JsonObject deleted = new JsonObject();
        reset.run(request.view().organization(), retained)
                .forEach((part, number) -> deleted.with(part.wireName(), number));
        return Response.ok(JsonObject.of("deleted", deleted));
    }

    private static Set<ResetPart> retained(JsonBody body) {
        Set<ResetPart> retained = EnumSet.noneOf(ResetPart.class);
        List<String> names = body.strings(KEEP).most(ResetPart.values().length).list();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            List<ResetPart> named = Stream.of(ResetPart.values())
                    .filter(part -> part.wireName().equals(name))
                    .toList();
            if (named.isEmpty()) {
                body.fault(
                        KEEP,
                        i,
                        "keep names some of "
                                + Stream.of(ResetPart.values())
                                        .map(ResetPart::wireName)
                                        .collect(Collectors.joining(", ")));
            }
            retained.addAll(named);
        }
        return retained;
    }

    /** Whether the whole server begins anew; checks the body. */
    private static boolean everything(JsonBody body, boolean all, Set<ResetPart> retained) {
        boolean everything = body.flag(EVERYTHING, false);
        if (everything && !retained.isEmpty()) {
            body.fault(KEEP, "Of everything nothing is kept");
        }
        if (body.has(ORGANIZATIONS) && !(everything && all)) {
            body.fault(ORGANIZATIONS, "organizations is \"all\", and stands beside \"everything\": true alone");
        }
        body.check();
        return everything;
    }
}
