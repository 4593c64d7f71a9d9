package dev.inboxd.notify.stream;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.Query;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Response;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Requests that wait for what has not happened yet. */
final class LongPolls implements AutoCloseable {
    private static final int LONGEST = 300;
    /** Many may wait for the same; those who are woken leave most connections to the database to others. */
    private static final int LOOKS_AT_ONCE = 4;

    private final LogTail tail;
    /** A peer that leaves is mostly not noticed while it waits, so there is a bound to those who wait for nobody. */
    private final ListenerMemory crowd;

    private final Set<LongPoll> waiting = ConcurrentHashMap.newKeySet();
    private final FairWakeups wakeups = new FairWakeups(LOOKS_AT_ONCE);
    /** Rings whose time is over. */
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(
            1, Thread.ofVirtual().name("waits").factory(), new ThreadPoolExecutor.DiscardPolicy());

    private volatile boolean closing;

    /** What a request looks for, and how far it has looked. One thread at a time. */
    abstract static class Scan {
        private final Request request;

        Scan(Request request) {
            this.request = request;
        }

        Request request() {
            return request;
        }

        /** Looks at what is there, as the request's caller is now; true ends the waiting. */
        abstract boolean found();

        /** What was found last, or that there is nothing. */
        abstract Response answer();
    }

    LongPolls(LogTail tail, ListenerMemory crowd) {
        this.tail = tail;
        this.crowd = crowd;
        clock.setRemoveOnCancelPolicy(true);
    }

    /**
     * Looks, and looks again whenever something happened that could be it, until it is found or the time is over. What
     * happens while it looks is not missed. The request is admitted again before every look but the first.
     *
     * @param wish what could be it
     * @param look is called at least once
     * @return the answer, or that the request waits for it
     * @throws Problem {@code service_unavailable} when too many wait already
     */
    Response await(SubscriptionFilter wish, Duration patience, Scan look) {
        if (patience.isZero()) {
            look.found();
            return look.answer();
        }
        LongPoll waiter = new LongPoll(this, look, wish, System.nanoTime() + patience.toNanos());
        if (!crowd.enter(waiter.organization(), ListenerMemory.WAIT)) {
            throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many requests wait for events")
                    .retryAfter(Duration.ofSeconds(5));
        }
        // Not before: those who wake together wait for their peers together, too.
        look.request().onAnswered(_ -> answered(waiter));
        return waiter.first();
    }

    /** Begins to ring it when something happens that it wants. */
    void join(LongPoll waiter) {
        tail.join(waiter.organization(), waiter, waiter.filter().types().keySet());
    }

    /** It has looked and is about to rest, not for the first time perhaps. */
    void park(LongPoll waiter) {
        waiting.add(waiter);
    }

    /** It looks no more. */
    void remove(LongPoll waiter) {
        tail.unsubscribe(waiter.organization(), waiter, waiter.filter().types().keySet());
    }

    private void answered(LongPoll waiter) {
        waiting.remove(waiter);
        crowd.release(waiter.organization(), ListenerMemory.WAIT);
    }

    FairWakeups wakeups() {
        return wakeups;
    }

    /** Rings it after so many nanoseconds, unless that is called off. */
    Future<?> alarm(LongPoll waiter, long nanos) {
        return clock.schedule(waiter::signal, nanos, TimeUnit.NANOSECONDS);
    }

    boolean isClosing() {
        return closing;
    }

    /** How long a request is ready to wait, from its query; what is wrong is noted there. */
    static Duration timeout(Query query, String name, int usual) {
        Long seconds = query.integer(name, 0, LONGEST);
        return Duration.ofSeconds(seconds == null ? usual : seconds);
    }

    /** How many have looked in vain and are not answered yet. */
    int count() {
        return waiting.size();
    }

    /** Lets everybody look once more and answer. */
    @Override
    public void close() {
        closing = true;
        clock.shutdownNow();
        waiting.forEach(LongPoll::signal);
    }
}
