package dev.inboxd.notify.stream;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The long polls of this node. */
final class LongPolls implements AutoCloseable {
    private static final int LONGEST = 300;
    /**
     * Limit of scans at a time. Many long polls may wait for the same event; their scans leave most database
     * connections to other requests.
     */
    private static final int LOOKS_AT_ONCE = 4;

    private final LogTail tail;
    /** A client that disconnects is mostly not noticed while it waits, so abandoned long polls are bounded too. */
    private final ListenerMemory memory;

    private final Set<LongPoll> waiting = ConcurrentHashMap.newKeySet();
    private final FairWakeups wakeups = new FairWakeups(LOOKS_AT_ONCE);
    /** Resumes long polls that have timed out. */
    private final ScheduledThreadPoolExecutor timeouts = new ScheduledThreadPoolExecutor(
            1, Thread.ofVirtual().name("waits").factory(), new ThreadPoolExecutor.DiscardPolicy());

    private volatile boolean closing;

    /** The search of a request and its progress. Used by one thread at a time. */
    abstract static class Scan {
        private final Request request;

        Scan(Request request) {
            this.request = request;
        }

        Request request() {
            return request;
        }

        /** The inbox that is looked at; the organization, where it is not one alone. */
        UUID inbox() {
            UUID inbox = request.view().inbox();
            return inbox == null ? request.view().organization() : inbox;
        }

        /** Scans the log with the caller's current permissions; true ends the wait. */
        abstract boolean poll();

        /** The answer: the last result, or an empty one. */
        abstract Response answer();
    }

    LongPolls(LogTail tail, ListenerMemory memory) {
        this.tail = tail;
        this.memory = memory;
        timeouts.setRemoveOnCancelPolicy(true);
    }

    /**
     * Scans, and scans again after every event that matches the filter, until the scan finds something or the time is
     * over. An event during a scan is not missed. The request is authenticated again before every scan but the first.
     *
     * @param filter the events that lead to another scan
     * @param scan called at least once
     * @return the answer, or a deferred response while the request waits
     * @throws Problem {@code service_unavailable} when too many requests wait already
     */
    Response await(SubscriptionFilter filter, Duration timeout, Scan scan) {
        if (timeout.isZero()) {
            scan.poll();
            return scan.answer();
        }
        LongPoll longPoll = new LongPoll(this, scan, filter, System.nanoTime() + timeout.toNanos());
        if (!memory.enter(longPoll.organization(), ListenerMemory.WAIT)) {
            throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many requests wait for events")
                    .retryAfter(Duration.ofSeconds(5));
        }
        // Released with the answer, not when the wait ends: long polls that resume together also wait together until
        // their answers are written.
        scan.request().onAnswered(_ -> answered(longPoll));
        return longPoll.first();
    }

    /** Registers a long poll: matching events signal it. */
    void join(LongPoll longPoll) {
        tail.join(longPoll.organization(), longPoll, longPoll.filter().types().keySet());
    }

    /** The long poll has found nothing and parks, maybe not for the first time. */
    void park(LongPoll longPoll) {
        waiting.add(longPoll);
    }

    /** The long poll has ended. */
    void remove(LongPoll longPoll) {
        tail.unsubscribe(
                longPoll.organization(), longPoll, longPoll.filter().types().keySet());
    }

    private void answered(LongPoll longPoll) {
        waiting.remove(longPoll);
        memory.release(longPoll.organization(), ListenerMemory.WAIT);
    }

    FairWakeups wakeups() {
        return wakeups;
    }

    /** Signals a long poll after this many nanoseconds, unless the future is cancelled. */
    Future<?> alarm(LongPoll longPoll, long nanos) {
        return timeouts.schedule(longPoll::signal, nanos, TimeUnit.NANOSECONDS);
    }

    boolean isClosing() {
        return closing;
    }

    /** The requested wait of a query parameter in seconds; faults are collected in the query. */
    static Duration timeout(Query query, String name, int defaultSeconds) {
        Long seconds = query.integer(name, 0, LONGEST);
        return Duration.ofSeconds(seconds == null ? defaultSeconds : seconds);
    }

    /** The number of long polls that have parked and are not answered yet. */
    int count() {
        return waiting.size();
    }

    /** Signals every long poll to scan once more and answer. */
    @Override
    public void close() {
        closing = true;
        timeouts.shutdownNow();
        waiting.forEach(LongPoll::signal);
    }
}
