package dev.inboxd.notify.stream;

import dev.inboxd.platform.http.DeferredResponse;
import dev.inboxd.platform.http.Response;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A request that waits for something to happen: a few words of memory, and a thread only while it looks. */
final class LongPoll extends FairWakeups.Task implements LogListener, DeferredResponse {
    private final LongPolls waits;
    private final LongPolls.Scan look;
    private final SubscriptionFilter filter;
    private final long until;
    private volatile boolean gone;
    // One thread after another has these: the bell hands them on.
    private @Nullable Runnable resume;
    private @Nullable Future<?> alarm;

    /** @param until when its time is over, of {@link System#nanoTime} */
    LongPoll(LongPolls waits, LongPolls.Scan look, SubscriptionFilter wish, long until) {
        super(look.request().caller().organization());
        this.waits = waits;
        this.look = look;
        this.filter = wish;
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
        waits.wakeups().wake(this);
    }

    /** The look of the request's own thread, which takes no turn: it is as good as any other request. */
    Response first() {
        boolean ends = true;
        try {
            waits.join(this); // before it looks, so that nothing is missed in between
            ends = look.found() || isOver();
            return ends ? look.answer() : Response.later(this);
        } finally {
            ended(ends);
        }
    }

    @Override
    public void park(Runnable then) {
        resume = then;
        if (alarm == null) {
            alarm = waits.alarm(this, until - System.nanoTime());
        }
        waits.park(this); // before it can be woken, which ends with its leaving
        waits.wakeups().park(this);
        if (waits.isClosing()) {
            signal(); // it may have come too late to be rung with the others
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
            if (!gone) {
                look.request().replay();
                ends = look.found() || isOver();
            }
            return ends ? look.answer() : Response.later(this);
        } finally {
            waits.wakeups().done();
            ended(ends);
        }
    }

    @Override
    public void disconnected() {
        gone = true;
        signal();
    }

    private boolean isOver() {
        return waits.isClosing() || System.nanoTime() - until >= 0;
    }

    private void ended(boolean ends) {
        if (ends) {
            if (alarm != null) {
                alarm.cancel(false);
            }
            waits.remove(this);
        }
    }
}
