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

/** Lets the world of an organization begin anew, over HTTP. */
public final class ResetHttp {
    private static final String KEEP = "keep";

    private final WorldReset reset;

    /** A route to that reset. */
    public ResetHttp(WorldReset reset) {
        this.reset = reset;
    }

    /** Mounts the route. */
    public void mount(Routes root) {
        root.post(Gate.ANY_KEY, "/sandbox/reset", new OwnPages(this::run));
    }

    private Response run(Request request) {
        WorldOwner.require(request.caller());
        Set<ResetPart> kept = kept(request.body());
        JsonObject deleted = new JsonObject();
        reset.run(request.view().organization(), kept).forEach((part, number) -> deleted.with(part.wireName(), number));
        return Response.ok(JsonObject.of("deleted", deleted));
    }

    private static Set<ResetPart> kept(JsonBody body) {
        Set<ResetPart> kept = EnumSet.noneOf(ResetPart.class);
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
            kept.addAll(named);
        }
        if (body.has("everything")) {
            body.fault("everything", "A reset is of one organization; a server begins anew with an empty data folder");
        }
        body.check();
        return kept;
    }
}
