package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.rate.BudgetStatus;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** State of one request in the pipeline. */
final class RequestContext {
    final long began = System.nanoTime();
    final Exchange exchange;
    final Callback callback;
    /** That of the host of the request, once it is known. */
    RouteTable table;

    boolean parked;
    int calls;
    volatile boolean isGone;
    volatile @Nullable DeferredResponse waiting;

    @Nullable
    Request request;

    @Nullable
    Route route;

    @Nullable
    Caller caller;

    @Nullable
    String code;

    @Nullable
    BudgetStatus budget;

    @Nullable
    EventStream stream;

    RequestContext(Exchange exchange, Callback callback, RouteTable table) {
        this.exchange = exchange;
        this.callback = callback;
        this.table = table;
    }

    /** Sets the deferred response. The peer may have disconnected before, even before the handler ran. */
    void parkedBy(DeferredResponse now) {
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
