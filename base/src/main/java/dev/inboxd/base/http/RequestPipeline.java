package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.memory.HeapShare;
import dev.inboxd.base.rate.BudgetStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads every request through the same checks to its handler, and sends the answer. The order of the checks is that of
 * identity.md §3.4 with ruling 17: route, authentication, announced size, rate, scope, permission, handler.
 */
final class RequestPipeline extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(RequestPipeline.class);

    private final RouteTable routes;
    private final RequestGuards guards;
    private final ErrorRenderer errors;
    private final Metrics metrics;
    private final RequestLog log = new RequestLog(System::nanoTime);
    private final BodyBudget bodies = BodyBudget.of(HeapShare.REQUESTS);
    private final BodyBudget answers = BodyBudget.of(HeapShare.ANSWERS);
    private final Admission admission;
    private Duration ping = ConnectionLimits.Limits.USUAL.ping();
    private @Nullable WebSockets sockets;

    RequestPipeline(RouteTable routes, RequestGuards guards, ErrorRenderer errors, Metrics metrics) {
        this.routes = routes;
        this.guards = guards;
        this.admission = new Admission(guards, routes);
        this.errors = errors;
        this.metrics = metrics;
    }

    @Override
    protected void doStart() throws Exception {
        WebSockets mine = new WebSockets(getServer(), errors, ping);
        sockets = mine;
        addBean(mine);
        super.doStart();
        log.start(getServer().getScheduler());
    }

    /** Sets the interval of WebSocket pings; call it before the start. */
    void ping(Duration every) {
        ping = every;
    }

    ProtocolErrors protocolErrors() {
        return new ProtocolErrors(errors, log);
    }

    @Override
    public boolean handle(
            org.eclipse.jetty.server.Request in, org.eclipse.jetty.server.Response out, Callback callback) {
        RequestContext context =
                new RequestContext(new Exchange(in, out, bodies.new Share(), answers.new Share()), callback, routes);
        context.exchange.onGone(context::onDisconnect);
        Response answer = answer(context, () -> admit(context));
        if (answer.body() instanceof Response.Body.Upgrade(WebSocketHandler handler)) {
            record(context, answer.status(), true);
            return Objects.requireNonNull(sockets).upgrade(in, out, callback, handler);
        }
        proceed(context, answer);
        return true;
    }

    /** Sends the answer, or releases the thread when the answer is deferred. */
    private void proceed(RequestContext context, Response answer) {
        if (!(answer.body() instanceof Response.Body.Deferred(DeferredResponse waiting))) {
            finish(context, answer);
            return;
        }
        try {
            if (!context.parked) {
                context.parked = true;
                context.exchange.isParked();
                Objects.requireNonNull(context.request).isParked();
                stream(context, answer, waiting);
            }
            context.exchange.release(); // memory that the poll reserved for an answer it did not find
            waiting.park(() -> Thread.ofVirtual().name("http-request").start(() -> resume(context, waiting)));
        } catch (RuntimeException | Error fault) {
            context.exchange.answered(false); // no answer was written
            throw fault;
        }
        context.parkedBy(waiting);
    }

    private static void stream(RequestContext context, Response head, DeferredResponse waiting) {
        Supplier<byte[]> pieces = waiting.pieces();
        if (pieces != null) {
            EventStream stream = context.exchange.events(RateHeaders.add(head, context.budget), waiting);
            context.stream = stream;
            stream.begin(pieces);
        }
    }

    private void resume(RequestContext context, DeferredResponse waiting) {
        try {
            proceed(context, answer(context, waiting::poll));
        } catch (RuntimeException | Error fault) { // as Jetty does on its own threads
            LOG.atError()
                    .addKeyValue("request_id", context.exchange.id())
                    .setCause(fault)
                    .log("request failed");
            context.callback.failed(fault);
        }
    }

    /**
     * An answer to a reading caller that is larger than what its handler reserved waits for memory here. What changed
     * something is answered in any case, as its caller could not know that it did.
     */
    private Response withMemory(RequestContext context, Response answer) {
        boolean reads = Set.of("GET", "HEAD").contains(context.exchange.method());
        if (context.caller == null || !reads || context.stream != null) {
            return answer;
        }
        return answer(context, () -> {
            if (!context.exchange.keeps(answer)) {
                throw BodyBudget.exhausted();
            }
            return answer;
        });
    }

    private void finish(RequestContext context, Response response) {
        Response answer = withMemory(context, response);
        boolean written = false;
        try {
            written = context.send(answer);
        } finally {
            context.exchange.answered(written); // releases the memory, whatever happened
        }
        record(context, answer.status(), written);
        if (written) {
            context.exchange.discard();
            context.callback.succeeded();
        } else {
            context.callback.failed(new IOException("the peer is gone"));
        }
    }

    private Response answer(RequestContext context, Supplier<Response> step) {
        Exchange exchange = context.exchange;
        try {
            return step.get();
        } catch (Problem problem) {
            context.code = problem.code().wireName();
            return errors.render(problem, exchange.id(), context.table.challenge(context.route));
        } catch (BodyTooLargeException tooLarge) {
            exchange.close();
            return errors.tooLarge(tooLarge.limit(), exchange.id());
        } catch (RuntimeException | Error fault) {
            LOG.atError()
                    .addKeyValue("request_id", exchange.id())
                    .setCause(fault)
                    .log("request failed");
            Problem problem = Problem.of(ErrorCode.INTERNAL_ERROR, "Something went wrong on our side");
            return errors.render(problem, exchange.id());
        }
    }

    private Response admit(RequestContext context) {
        Exchange exchange = context.exchange;
        List<String> segments = PathSegments.of(exchange.rawPath());
        RouteTable table = routes.of(exchange.host());
        context.table = table;
        RouteTable.Match match = table.find(exchange.method(), segments);
        if (match == null) {
            return new UnknownRoute(table).answer(exchange, errors);
        }
        Route route = match.route();
        context.route = route;
        Request request = new Request(exchange, guards.seal(), match, segments);
        context.request = request;
        PaymentGate gate = table.gate();
        if (gate != null && route.access() != Gate.PUBLIC) {
            return paid(context, request, gate);
        }
        Caller caller = null;
        ScopeResolver.ScopePrefetch ahead = admission.ahead(request);
        if (route.access() != Gate.PUBLIC) {
            caller = admission.requireCaller(request, ahead);
            context.caller = caller;
            exchange.isKnown();
            context.befall(guards.faults(), caller, route);
        }
        if (exchange.announcesMoreThan(route.limit().bytes())) {
            return errors.tooLarge(route.limit(), exchange.id());
        }
        if (caller != null) {
            pace(context, caller);
            admission.admit(request, caller, ahead);
            request.onAgain(() -> admission.admit(request));
            request.onCall(call -> call(context, request, call));
        }
        Response answer = Conditions.applied(request, route.handler().handle(request));
        if (caller != null) {
            guards.observer().handled(request, answer);
        }
        return answer;
    }

    private Response paid(RequestContext context, Request request, PaymentGate gate) {
        Exchange exchange = context.exchange;
        BodyLimit limit = request.route().limit();
        return exchange.announcesMoreThan(limit.bytes())
                ? errors.tooLarge(limit, exchange.id())
                : gate.answer(new PipelineRequest(
                        request, exchange, exchange.rawPath(), payer -> handled(context, request, payer)));
    }

    /** The answer to a caller who is known by a payment. */
    private Response handled(RequestContext context, Request request, Caller payer) {
        context.caller = payer;
        context.exchange.isKnown();
        pace(context, payer);
        admission.admit(request, payer, admission.ahead(request));
        request.onAgain(() -> admission.admit(request, payer, admission.ahead(request)));
        Response answer = Conditions.applied(request, request.route().handler().handle(request));
        guards.observer().handled(request, answer);
        return answer;
    }

    /** Answers a call of another route; the first one is counted with the request itself. */
    private Response call(RequestContext context, Request outer, Supplier<RouteCall> maker) {
        return answer(context, () -> {
            RouteCall call = maker.get();
            if (context.calls++ > 0) {
                pace(context, outer.caller());
            }
            context.befall(guards.faults(), outer.caller(), call.route());
            RouteTable.Match match =
                    new RouteTable.Match(call.route(), call.route().parameters());
            RouteCallSource source = new RouteCallSource(context.exchange, Admission.key(outer), call);
            Request request = new Request(source, guards.seal(), match, call.segments());
            admission.admit(request);
            request.onAgain(() -> admission.admit(request));
            try {
                Response answer = call.route().handler().handle(request);
                guards.observer().handled(request, answer);
                return answer.body() instanceof Response.Body.Deferred(DeferredResponse waiting)
                        ? Response.later(new DeferredCall(waiting, poll -> answer(context, poll)))
                        : answer;
            } catch (BodyTooLargeException tooLarge) {
                return errors.tooLarge(new BodyLimit(tooLarge.limit().bytes(), false), source.id());
            }
        });
    }

    private void pace(RequestContext context, Caller caller) {
        if (!guards.limits().isFree()) {
            BudgetStatus budget = guards.limits().admit(caller.credential().id().toString());
            context.budget = budget;
            budget.require();
        }
    }

    private void record(RequestContext context, int status, boolean written) {
        long nanos = System.nanoTime() - context.began;
        Route route = context.route;
        metrics.request(
                route == null ? "none" : route.method(), route == null ? "none" : route.template(), status, nanos);
        if (metrics.traces().isOn()) {
            metrics.traces().ended(RequestSpan.of(context, status, nanos));
        }
        AccessLog.Result result = new AccessLog.Result(status, nanos / 1_000_000, written);
        log.write(context.exchange, route, context.caller, result);
        if (context.caller != null && route != null) {
            guards.observer()
                    .answered(new RequestObserver.AnsweredRequest(
                            context.caller,
                            context.exchange.id(),
                            route,
                            status,
                            context.code,
                            result.millis(),
                            context.exchange.remoteAddress()));
        }
    }
}
