package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.fault.CallFaults;
import dev.inboxd.base.rate.BudgetStatus;
import java.time.Duration;
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

    /** Notes what befalls a call of a route, and throws what refuses it. */
    void befall(CallFaults faults, Caller called, Route to) {
        fault = fault.with(faults.of(called.organization(), to.method(), to.template()));
        Problem refusal = fault.refusal();
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Writes the answer, or ends its connection when that befalls the call; whether it was written. */
    boolean send(Response answer) {
        if (!fault.late().isZero()) {
            waitFor(fault.late());
        }
        if (fault.isLost()) {
            exchange.sending().cut();
            return false;
        }
        EventStream begun = stream;
        return begun == null
                ? exchange.write(RateHeaders.add(answer, budget))
                : begun.end(answer.body() instanceof Response.Body.Bytes bytes ? bytes.content() : new byte[0]);
    }

    private static void waitFor(Duration late) {
        try {
            Thread.sleep(late);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sets the deferred response. The peer may have disconnected before, even before the handler ran. */
    void parkedBy(DeferredResponse now) {
        waiting = now;
        if (isGone) {
            now.disconnected();
        }
    }

    void onDisconnect() {
        isGone = true;
        DeferredResponse now = waiting;
        if (now != null) {
            now.disconnected();
        }
    }
}
