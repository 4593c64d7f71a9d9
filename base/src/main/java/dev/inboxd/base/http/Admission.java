package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.error.Problem;
import org.jspecify.annotations.Nullable;

/** Finds who makes a request, what of the organization it is about, and whether the caller may (identity.md §5.4). */
final class Admission {
    private final RequestGuards guards;
    private final RouteTable routes;

    Admission(RequestGuards guards, RouteTable routes) {
        this.guards = guards;
        this.routes = routes;
    }

    /** The look-ups of the path that can run while the key is read; null when there are none. */
    ScopeResolver.@Nullable ScopePrefetch ahead(Request request) {
        Level level = request.route().level();
        return level == Level.INBOX ? guards.scopeResolver().prefetch(level, request.path("inbox_id")) : null;
    }

    /** The caller of the request's key, unless his address tried too many that are none. */
    Caller requireCaller(Request request, ScopeResolver.@Nullable ScopePrefetch ahead) {
        String address = request.remoteAddress();
        try {
            key(request);
            guards.limits().beforeLook(address);
            return authenticate(request, ahead);
        } catch (Problem refused) {
            if (refused.code().status() == 401) {
                guards.limits().refused(address);
            }
            throw refused;
        }
    }

    /** The caller of the request's key. */
    private Caller authenticate(Request request, ScopeResolver.@Nullable ScopePrefetch ahead) {
        return guards.authenticator()
                .authenticate(
                        key(request), request.route().access(), ahead == null ? Authenticator.Prefetch.NOTHING : ahead);
    }

    /** Admits a caller to the request, or refuses it. */
    void admit(Request request, Caller caller, ScopeResolver.@Nullable ScopePrefetch ahead) {
        caller.require(request.route().role());
        ScopeResolver.ResolvedScope place = PathScope.of(caller, request, guards.scopeResolver(), ahead);
        caller.require(request.route().access());
        routes.requirePaid(caller, request);
        request.admit(caller, place);
    }

    /** Authenticates and admits: a request for the first time, or one that has waited. */
    void admit(Request request) {
        ScopeResolver.ScopePrefetch ahead = ahead(request);
        admit(request, authenticate(request, ahead), ahead);
    }

    /** Whether a route would admit the caller, if what its path names is there. */
    static boolean opens(Route route, Caller caller) {
        boolean inScope = switch (route.level()) {
            case ROOT, ORGANIZATION, INBOX -> true;
            case ORGANIZATION_ITSELF -> caller.scope() == Scope.ORGANIZATION;
            case ORGANIZATION_OR_POD, POD -> caller.scope() != Scope.INBOX;
        };
        return inScope && caller.role().covers(route.role()) && caller.satisfies(route.access());
    }

    /**
     * The key of a request. The query carries it only where a browser cannot set a header, and only without one
     * (events.md §5.1); {@code X-Api-Key} only where programs expect that (identity.md §2).
     */
    static String key(Request request) {
        String header = request.header("Authorization");
        String alternative = header != null
                ? null
                : request.route().isSocket()
                        ? request.query().single("api_key")
                        : request.route().handler() instanceof RpcRoute ? request.header("X-Api-Key") : null;
        return alternative == null || alternative.isEmpty()
                ? BearerHeader.key(header)
                : request.route().isSocket() ? alternative : BearerHeader.key("Bearer " + alternative);
    }
}
