package dev.inboxd.base.http;

import dev.inboxd.base.log.Traces;

/** A request as a trace shows it: its route, never its path, its query or its body. */
final class RequestSpan {
    private RequestSpan() {}

    /** The span of a request that was answered now. */
    static Traces.Span of(RequestContext context, int status, long nanos) {
        Route route = context.route;
        String name = route == null ? "unknown route" : route.method() + " " + route.template();
        return Traces.Span.of(name, Traces.Side.SERVER, nanos)
                .with("http.request.method", route == null ? null : route.method())
                .with("http.route", route == null ? null : route.template())
                .with("http.response.status_code", status)
                .with("error.code", context.code)
                .with("inboxd.request_id", context.exchange.id())
                .failed(status >= 500 ? String.valueOf(status) : null)
                .calledBy(context.exchange.header("traceparent"));
    }
}
