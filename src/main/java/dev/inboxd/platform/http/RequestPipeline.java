package dev.inboxd.platform.http;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Gate;
import dev.inboxd.platform.access.Scope;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.log.LogLine;
import dev.inboxd.platform.log.Metrics;
import dev.inboxd.platform.memory.HeapShare;
import dev.inboxd.platform.rate.BudgetStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every request through the same checks to its handler, and whatever comes of it back to the peer. The order is
 * that of identity.md §3.4 with ruling 17: route, authentication, announced size, rate, scope, permission, handler.
 */
final class RequestPipeline extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(RequestPipeline.class);

    private final RouteTable routes;
    private final RequestGuards admission;
    private final ErrorRenderer refusals;
    private final Metrics metrics;
    private final BodyBudget bodies = BodyBudget.of(HeapShare.REQUESTS);
    private final BodyBudget answers = BodyBudget.of(HeapShare.ANSWERS);
    private Duration ping = ConnectionLimits.Limits.USUAL.ping();
    private @Nullable WebSockets sockets;

    RequestPipeline(RouteTable routes, RequestGuards admission, ErrorRenderer refusals, Metrics metrics) {
        this.routes = routes;
        this.admission = admission;
        this.refusals = refusals;
        this.metrics = metrics;
    }

    @Override
    protected void doStart() throws Exception {
        WebSockets mine = new WebSockets(getServer(), refusals, ping);
        sockets = mine;
        addBean(mine);
        super.doStart();
    }

    /** How often the peers of WebSockets are asked whether they are still there; before the start. */
    void ping(Duration every) {
        ping = every;
    }

    ErrorRenderer refusals() {
        return refusals;
    }

    @Override
    public boolean handle(
            org.eclipse.jetty.server.Request in, org.eclipse.jetty.server.Response out, Callback callback) {
        RequestContext passage =
                new RequestContext(new Exchange(in, out, bodies.new Share(), answers.new Share()), callback);
        passage.exchange.onGone(passage::gone);
        Response answer = answer(passage, () -> admit(passage));
        if (answer.body() instanceof Response.Body.Upgrade(WebSocketHandler conversation)) {
            record(passage, answer.status(), true);
            return Objects.requireNonNull(sockets).upgrade(in, out, callback, conversation);
        }
        proceed(passage, answer);
        return true;
    }

    /** Sends the answer, or lets the thread go when there is none yet. */
    private void proceed(RequestContext passage, Response answer) {
        if (!(answer.body() instanceof Response.Body.Deferred(DeferredResponse waiting))) {
            finish(passage, answer);
            return;
        }
        try {
            if (!passage.rests) {
                passage.rests = true;
                passage.exchange.isParked();
                Objects.requireNonNull(passage.request).isParked();
            }
            passage.exchange.release(); // what its look took room for and did not find after all
            waiting.park(() -> Thread.ofVirtual().name("http-request").start(() -> resume(passage, waiting)));
        } catch (RuntimeException | Error fault) {
            passage.exchange.answered(false); // it never is
            throw fault;
        }
        passage.waitsBy(waiting);
    }

    private void resume(RequestContext passage, DeferredResponse waiting) {
        try {
            proceed(passage, answer(passage, waiting::poll));
        } catch (RuntimeException | Error fault) { // what Jetty does for its own threads
            LOG.atError()
                    .addKeyValue("request_id", passage.exchange.id())
                    .setCause(fault)
                    .log("request failed");
            passage.callback.failed(fault);
        }
    }

    private void finish(RequestContext passage, Response answer) {
        boolean written = false;
        try {
            written = passage.exchange.write(RateHeaders.add(answer, passage.standing));
        } finally {
            passage.exchange.answered(written); // whatever happened: memory is given back there
        }
        record(passage, answer.status(), written);
        if (written) {
            passage.callback.succeeded();
        } else {
            passage.callback.failed(new IOException("the peer is gone"));
        }
    }

    private Response answer(RequestContext passage, Supplier<Response> step) {
        Exchange exchange = passage.exchange;
        try {
            return step.get();
        } catch (Problem problem) {
            return refusals.render(problem, exchange.id());
        } catch (BodyTooLargeException tooLarge) {
            exchange.lingerAndClose();
            return refusals.tooLarge(tooLarge.limit(), exchange.id());
        } catch (RuntimeException | Error fault) {
            LOG.atError()
                    .addKeyValue("request_id", exchange.id())
                    .setCause(fault)
                    .log("request failed");
            Problem problem = Problem.of(ErrorCode.INTERNAL_ERROR, "Something went wrong on our side");
            return refusals.render(problem, exchange.id());
        }
    }

    private Response admit(RequestContext passage) {
        Exchange exchange = passage.exchange;
        List<String> segments = PathSegments.of(exchange.rawPath());
        RouteTable.Match match = routes.find(exchange.method(), segments);
        if (match == null) {
            throw PathSegments.unknownRoute();
        }
        Route route = match.route();
        passage.route = route;
        Request request = new Request(exchange, admission.seal(), match, segments);
        passage.request = request;
        Caller caller = null;
        ScopeResolver.ScopePrefetch ahead = ahead(request);
        if (route.access() != Gate.PUBLIC) {
            caller = authenticate(exchange, request, ahead);
            passage.caller = caller;
        }
        if (exchange.announcesMoreThan(route.limit().bytes())) {
            exchange.lingerAndClose();
            return refusals.tooLarge(route.limit(), exchange.id());
        }
        if (caller != null) {
            pace(passage, caller);
            admit(request, caller, ahead);
            request.onAgain(() -> again(request));
        }
        return route.handler().handle(request);
    }

    private void again(Request request) {
        ScopeResolver.ScopePrefetch ahead = ahead(request);
        admit(request, authenticate(request, ahead), ahead);
    }

    private ScopeResolver.@Nullable ScopePrefetch ahead(Request request) {
        Level level = request.route().level();
        return level == Level.INBOX ? admission.scopeResolver().prefetch(level, request.path("inbox_id")) : null;
    }

    private Caller authenticate(Request request, ScopeResolver.@Nullable ScopePrefetch ahead) {
        return admission
                .authenticator()
                .authenticate(
                        key(request), request.route().access(), ahead == null ? Authenticator.Prefetch.NOTHING : ahead);
    }

    private Caller authenticate(Exchange exchange, Request request, ScopeResolver.@Nullable ScopePrefetch ahead) {
        String address = exchange.remoteAddress();
        try {
            key(request);
            admission.limits().beforeLook(address);
            return authenticate(request, ahead);
        } catch (Problem refused) {
            if (refused.code().status() == 401) {
                admission.limits().refused(address);
            }
            throw refused;
        }
    }

    private void pace(RequestContext passage, Caller caller) {
        if (!admission.limits().isFree()) {
            BudgetStatus standing =
                    admission.limits().admit(caller.credential().id().toString());
            passage.standing = standing;
            standing.require();
        }
    }

    private void admit(Request request, Caller caller, ScopeResolver.@Nullable ScopePrefetch ahead) {
        ScopeResolver.ResolvedScope place = narrowed(caller, request, ahead);
        caller.require(request.route().access());
        request.admit(caller, place);
    }

    /** In the query only where a browser cannot send a header, and only without one (events.md §5.1). */
    private static String key(Request request) {
        String header = request.header("Authorization");
        String query =
                header == null && request.route().isSocket() ? request.query().single("api_key") : null;
        return query == null || query.isEmpty() ? BearerHeader.key(header) : query;
    }

    private ScopeResolver.ResolvedScope narrowed(
            Caller caller, Request request, ScopeResolver.@Nullable ScopePrefetch ahead) {
        Level level = request.route().level();
        return switch (level) {
            case ROOT, ORGANIZATION -> new ScopeResolver.ResolvedScope(caller.view(), null);
            case ORGANIZATION_ITSELF -> {
                if (caller.scope() != Scope.ORGANIZATION) {
                    throw Problem.of(
                            ErrorCode.FORBIDDEN,
                            "Forbidden",
                            "This key is bound to one " + caller.scope().wireName()
                                    + "; use " + atOwnLevel(caller.scope(), request.route())
                                    + ", or a key of the organization.");
                }
                yield new ScopeResolver.ResolvedScope(caller.view(), null);
            }
            case ORGANIZATION_OR_POD -> {
                refuseInbox(caller);
                yield new ScopeResolver.ResolvedScope(caller.view(), null);
            }
            case POD -> {
                refuseInbox(caller); // even from its own pod
                yield admission.scopeResolver().narrow(caller, level, request.path("pod_id"));
            }
            case INBOX -> Objects.requireNonNull(ahead).resolve(caller);
        };
    }

    /** identity.md §5.4: pods are not for inbox credentials. */
    private static void refuseInbox(Caller caller) {
        if (caller.scope() == Scope.INBOX) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "Forbidden",
                    "This key is bound to one inbox; use the routes "
                            + "under /v0/inboxes/{inbox_id}, or a key of the pod or the organization.");
        }
    }

    /** The same route at the level that the credential is bound to. */
    private static String atOwnLevel(Scope scope, Route route) {
        Level own = scope == Scope.POD ? Level.POD : Level.INBOX;
        return route.method() + " " + own.prefix()
                + route.template().substring(route.level().prefix().length());
    }

    private void record(RequestContext passage, int status, boolean written) {
        long nanos = System.nanoTime() - passage.began;
        Route route = passage.route;
        Caller caller = passage.caller;
        String template = route == null ? "none" : route.template();
        metrics.request(route == null ? "none" : route.method(), template, status, nanos);
        LogLine.of("request")
                .with("method", route == null ? null : route.method())
                .with("route", template)
                .with("status", status)
                .with("ms", nanos / 1_000_000)
                .with("request_id", passage.exchange.id())
                .with("remote", passage.exchange.remoteAddress())
                .with("api_key_id", caller == null ? null : caller.apiKeyId())
                .with(
                        "session_id",
                        caller == null || caller.apiKeyId() != null
                                ? null
                                : caller.credential().id())
                .with("organization_id", caller == null ? null : caller.organization())
                .with("cut", written ? null : true)
                .write();
    }

    /** What became known of a request on its way. */
    private static final class RequestContext {
        final long began = System.nanoTime();
        final Exchange exchange;
        final Callback callback;
        boolean rests;
        volatile boolean isGone;
        volatile @Nullable DeferredResponse waiting;

        @Nullable
        Request request;

        @Nullable
        Route route;

        @Nullable
        Caller caller;

        @Nullable
        BudgetStatus standing;

        RequestContext(Exchange exchange, Callback callback) {
            this.exchange = exchange;
            this.callback = callback;
        }

        /** What it waits by, from now on; perhaps the peer is gone since before the handler's first look. */
        void waitsBy(DeferredResponse now) {
            waiting = now;
            if (isGone) {
                now.disconnected();
            }
        }

        void gone() {
            isGone = true;
            DeferredResponse now = waiting;
            if (now != null) {
                now.disconnected();
            }
        }
    }
}
