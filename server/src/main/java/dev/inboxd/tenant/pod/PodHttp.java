package dev.inboxd.tenant.pod;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import java.util.Objects;
import java.util.UUID;

/** Pods over HTTP. Only routes: the rules are in {@link Pods}. */
public final class PodHttp {
    private final Pods pods;

    /** Routes to these pods. */
    public PodHttp(Pods pods) {
        this.pods = pods;
    }

    /** Mounts the collection, which credentials of an inbox cannot use. */
    public void mountAll(Routes above) {
        above.get(Permission.POD_READ, "/pods", this::list);
        above.post(Permission.POD_CREATE, "/pods", this::create);
    }

    /** Mounts the routes of one pod. */
    public void mountOne(Routes pod) {
        pod.get(Permission.POD_READ, "", this::get);
        pod.patch(Permission.POD_UPDATE, "", this::update);
        pod.delete(Permission.POD_DELETE, "", this::delete);
        pod.post(Permission.INBOX_UPDATE, "/stop", request -> stopped(request, true));
        pod.post(Permission.DRAFT_APPROVE, "/resume", request -> stopped(request, false));
    }

    private Response list(Request request) {
        PageRequest page = request.page(PageLimit.list(100));
        return Response.ok(page.listing("pods", pods.list(request.view(), page), Pod::json));
    }

    private Response create(Request request) {
        return Response.ok(request.change()
                .of(pods.create(request.view(), NewPod.read(request.body())))
                .json());
    }

    private Response get(Request request) {
        return Response.ok(pods.get(request.view(), id(request)).json());
    }

    private Response update(Request request) {
        return Response.ok(request.change()
                .of(pods.update(request.view(), id(request), PodChange.read(request.body())))
                .json());
    }

    private Response delete(Request request) {
        pods.delete(request.view(), id(request));
        return Response.ok();
    }

    /** Of the whole pod: a key of one inbox stops no other. */
    private Response stopped(Request request, boolean stops) {
        return Response.ok(request.change()
                .of(pods.setStopped(request.view(), id(request), stops))
                .json());
    }

    /** The path was resolved before the handler ran. */
    private static UUID id(Request request) {
        return Objects.requireNonNull(request.view().pod());
    }
}
