package dev.inboxd.notify.stream;

import dev.inboxd.base.http.DeferredResponse;
import dev.inboxd.base.http.Response;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A long poll: a small object while it waits, and a thread only while it scans the log. */
final class LongPoll extends FairWakeups.Task implements LogListener, DeferredResponse {
    private final LongPolls longPolls;
    private final LongPolls.Scan scan;
    private final SubscriptionFilter filter;
    private final long until;
    private volatile boolean disconnected;
    // Used by one thread at a time; FairWakeups hands them over.
    private @Nullable Runnable resume;
    private @Nullable Future<?> timeout;

    /** @param until the {@link System#nanoTime} at which it times out */
    LongPoll(LongPolls longPolls, LongPolls.Scan scan, SubscriptionFilter filter, long until) {
        super(scan.request().caller().organization(), scan.inbox());
        this.longPolls = longPolls;
        this.scan = scan;
        this.filter = filter;
        this.until = until;
    }

    SubscriptionFilter filter() {
        return filter;
    }

    @Override
    public boolean accepts(LoggedEvent.Entry entry) {
        return filter.matches(organization(), entry);
    }

    void signal() {
        longPolls.wakeups().wake(this);
    }

    /** The first scan, on the request's own thread. It takes no turn: it costs as much as any other request. */
    Response first() {
        boolean ends = true;
        try {
            longPolls.join(this); // before the scan, so that no event is missed in between
            ends = scan.poll() || isOver();
            return ends ? scan.answer() : Response.later(this);
        } finally {
            finish(ends);
        }
    }

    @Override
    public void park(Runnable then) {
        resume = then;
        if (timeout == null) {
            timeout = longPolls.alarm(this, until - System.nanoTime());
        }
        longPolls.park(this); // before it can be signalled, which may end it
        longPolls.wakeups().park(this);
        if (longPolls.isClosing()) {
            signal(); // close() may have signalled the others before this one parked
        }
    }

    @Override
    void wake() {
        if (resume != null) {
            resume.run();
        }
    }

    @Override
    public Response poll() {
        boolean ends = true;
        try {
            if (!disconnected) {
                scan.request().replay();
                ends = scan.poll() || isOver();
            }
            return ends ? scan.answer() : Response.later(this);
        } finally {
            longPolls.wakeups().done();
            finish(ends);
        }
    }

    @Override
    public void disconnected() {
        disconnected = true;
        signal();
    }

    private boolean isOver() {
        return longPolls.isClosing() || System.nanoTime() - until >= 0;
    }

    private void finish(boolean ends) {
        if (ends) {
            if (timeout != null) {
                timeout.cancel(false);
            }
            longPolls.remove(this);
        }
    }
}
