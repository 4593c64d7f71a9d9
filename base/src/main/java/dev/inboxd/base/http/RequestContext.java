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

    private CallFaults.CallFault fault = CallFaults.CallFault.NOTHING;

    RequestContext(Exchange exchange, Callback callback, RouteTable table) {
        this.exchange = exchange;
        this.callback = callback;
        this.table = table;
    }

    /** Notes what befalls a call, and gives the answer in place of that of its route; null when the route is called. */
    @Nullable
    Response befallen(CallFaults.CallFault more, ErrorRenderer errors) {
        fault = fault.with(more);
        CallFaults.Refusal refusal = more.refusal();
        if (refusal == null) {
            return null;
        }
        code = refusal.problem().code().wireName();
        return errors.render(refusal.problem(), exchange.id()).status(refusal.status());
    }

    /** Whether there is an answer to write, in good time; else its connection has ended. */
    boolean isAnswered() {
        try {
            Thread.sleep(fault.late());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        if (fault.isLost()) {
            exchange.sending().cut();
        }
        return !fault.isLost();
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
