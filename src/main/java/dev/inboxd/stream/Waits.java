package dev.inboxd.stream;

import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.http.Query;
import dev.inboxd.http.Request;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Requests that wait for what has not happened yet. */
final class Waits implements AutoCloseable {
    private static final int LONGEST = 300;
    /** Many may wait for the same; those who are woken leave most connections to the database to others. */
    private static final int LOOKS_AT_ONCE = 4;

    private final Tail tail;
    /** A peer that leaves is not noticed while it waits, so there is a bound to those who wait for nobody. */
    private final Crowd crowd;
    private final Set<Waiter> parked = ConcurrentHashMap.newKeySet();
    private final Bell bell = new Bell(LOOKS_AT_ONCE);
    private volatile boolean closing;

    /** One look at what is there, as the request's caller is then. */
    interface Look {
        /** Looks; true ends the waiting. */
        boolean found();
    }

    Waits(Tail tail, Crowd crowd) {
        this.tail = tail;
        this.crowd = crowd;
    }

    /**
     * Looks, and looks again whenever something happened that could be it, until it is found or the time is over. What
     * happens while it looks is not missed.
     *
     * @param request is admitted again before every look but the first
     * @param wish what could be it
     * @param look is called at least once
     * @throws Problem {@code service_unavailable} when too many wait already
     */
    void until(Request request, Wish wish, Duration patience, Look look) {
        UUID organization = request.caller().organization();
        if (patience.isZero()) {
            look.found();
            return;
        }
        Waiter waiter = new Waiter(organization, wish, bell);
        if (!crowd.enter(organization, Crowd.WAIT)) {
            throw Problem.of(Code.SERVICE_UNAVAILABLE, "Too many requests wait for events")
                    .retryAfter(Duration.ofSeconds(5));
        }
        request.expectSilence(patience);
        parked.add(waiter);
        long until = System.nanoTime() + patience.toNanos();
        try {
            tail.join(organization, waiter, wish.types().keySet());
            boolean over = look.found();
            while (!over) {
                waiter.await(until);
                over = lookAgain(request, look) || closing || System.nanoTime() - until >= 0;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            tail.leave(organization, waiter, wish.types().keySet());
            bell.leave(waiter);
            parked.remove(waiter);
            crowd.leave(organization, Crowd.WAIT);
        }
    }

    private boolean lookAgain(Request request, Look look) {
        try {
            request.again();
            return look.found();
        } finally {
            bell.done();
        }
    }

    /** How long a request is ready to wait, from its query; what is wrong is noted there. */
    static Duration patience(Query query, String name, int usual) {
        Long seconds = query.integer(name, 0, LONGEST);
        return Duration.ofSeconds(seconds == null ? usual : seconds);
    }

    int count() {
        return parked.size();
    }

    /** Lets everybody look once more and answer. */
    @Override
    public void close() {
        closing = true;
        parked.forEach(Waiter::ring);
    }
}
