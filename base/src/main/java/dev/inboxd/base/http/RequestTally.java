package dev.inboxd.base.http;

import dev.inboxd.base.log.Metrics;

/** Counts, traces and logs requests that were answered, and tells of them. */
final class RequestTally {
    private final Metrics metrics;
    private final RequestObserver observer;
    private final RequestLog log = new RequestLog(System::nanoTime);

    RequestTally(Metrics metrics, RequestObserver observer) {
        this.metrics = metrics;
        this.observer = observer;
    }

    /** Where requests are logged. */
    RequestLog log() {
        return log;
    }

    /** A request that was answered with a status, or whose peer was gone before that. */
    void record(RequestContext context, int status, boolean written) {
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
            observer.answered(new RequestObserver.AnsweredRequest(
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
