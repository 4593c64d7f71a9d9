package dev.inboxd.outbound;

import dev.inboxd.smtp.client.SmtpDelivery;
import dev.inboxd.smtp.client.SmtpResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How much each destination may be given now, by this node. A destination is a domain of recipients: what is slow, away
 * or wants to be spared holds up nobody's mail but its own. For many threads.
 *
 * <p>The number of messages under way grows with each that is taken and is halved when the other side asks for patience. It
 * then gets none at all for a moment; and for a while that doubles as long as it goes on when it closes its service, or
 * cannot be reached. What one sender's messages provoke is only a moment, so that nobody can stop the mail of others.
 */
final class DestinationThrottle {
    private static final int FIRST_SLOTS = 5;
    private static final int SLOTS_WHEN_CROWDED = 2;
    private static final long MOMENT_NANOS = Duration.ofSeconds(5).toNanos();
    private static final Duration FIRST_REST = Duration.ofSeconds(30);
    private static final int MOST_DOUBLINGS = 5; // 16 minutes
    private static final long FORGOTTEN_NANOS = Duration.ofHours(1).toNanos();
    private static final double NANOS_A_MINUTE = 60e9;

    private final int connections;
    private final int perMinute;
    private final LongSupplier nanos;
    private final Map<String, State> states = new HashMap<>();

    /** How an attempt went, as far as the destination is concerned. */
    enum LoadSignal {
        /** It answered. */
        ANSWERED,
        /** It put a message off for a reason of policy. */
        SLOW_DOWN,
        /** It closed its service for now. */
        CLOSED,
        /** None of its hosts opened a session. */
        AWAY,
        /** The attempt says nothing of it. */
        UNKNOWN;

        /** What a delivery says of the destination. */
        static LoadSignal of(SmtpDelivery delivery) {
            // First what one sender may have brought about, which also comes as 421: others go on soon.
            if (replied(delivery.result(), "4.7.")) {
                return SLOW_DOWN; // RFC 3463 §3.8
            }
            if (replied(delivery.result(), "421")) {
                return CLOSED; // RFC 5321 §3.8
            }
            boolean answered = delivery.host() != null;
            boolean refused = delivery.result() instanceof SmtpResult.PermanentFailure;
            return answered ? ANSWERED : refused ? UNKNOWN : AWAY;
        }

        private static boolean replied(SmtpResult result, String code) {
            return result instanceof SmtpResult.TransientFailure later
                    && later.reply() != null
                    && (String.valueOf(later.reply().code()).equals(code)
                            || String.valueOf(later.reply().enhancedStatus()).startsWith(code));
        }
    }

    private static final class State {
        private int slots;
        private int underWay;
        private int failures;
        private long restsUntil;
        private double tokens;
        private long countedAt;

        State(int slots, double tokens, long now) {
            this.slots = slots;
            this.restsUntil = now;
            this.tokens = tokens;
            this.countedAt = now;
        }
    }

    /**
     * All destinations, equally.
     *
     * @param connections messages under way to one at a time, at most
     * @param perMinute messages to one in a minute, at most
     * @param nanos a clock that never goes back, in nanoseconds
     */
    DestinationThrottle(int connections, int perMinute, LongSupplier nanos) {
        this.connections = connections;
        this.perMinute = perMinute;
        this.nanos = nanos;
    }

    /** How many messages a destination may be given that is not among {@link #snapshot}. */
    int defaultLimit() {
        return Math.min(Math.min(FIRST_SLOTS, connections), perMinute);
    }

    /**
     * How many messages each destination may be given now; those missing are as {@link #defaultLimit} says.
     *
     * @param crowded whether there is little room: then the slow ones must leave some to the others
     */
    synchronized Map<String, Integer> snapshot(boolean crowded) {
        long now = nanos.getAsLong();
        Map<String, Integer> rooms = new HashMap<>();
        for (Iterator<Map.Entry<String, State>> all = states.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, State> one = all.next();
            State state = one.getValue();
            fill(state, now);
            if (state.underWay == 0 && now - state.restsUntil > FORGOTTEN_NANOS) {
                all.remove();
            } else {
                rooms.put(one.getKey(), room(state, crowded, now));
            }
        }
        return rooms;
    }

    private int room(State state, boolean crowded, long now) {
        if (now - state.restsUntil < 0) {
            return 0;
        }
        int slots = crowded ? Math.min(state.slots, SLOTS_WHEN_CROWDED) : state.slots;
        return Math.max(0, Math.min(slots - state.underWay, (int) Math.min(state.tokens, Integer.MAX_VALUE)));
    }

    private void fill(State state, long now) {
        state.tokens = Math.min(perMinute, state.tokens + (now - state.countedAt) / NANOS_A_MINUTE * perMinute);
        state.countedAt = now;
    }

    /** It is worth another try, says who knows better: its rest is over. */
    synchronized void retry(String destination) {
        State state = states.get(destination);
        if (state != null) {
            state.failures = 0;
            state.restsUntil = Math.min(state.restsUntil, nanos.getAsLong());
        }
    }

    /**
     * Takes a place for a message that is to be under way.
     *
     * @return false when there is none, because others were faster
     */
    synchronized boolean begin(String destination) {
        long now = nanos.getAsLong();
        State state =
                states.computeIfAbsent(destination, _ -> new State(Math.min(FIRST_SLOTS, connections), perMinute, now));
        fill(state, now);
        if (room(state, false, now) == 0) {
            return false;
        }
        state.underWay++;
        state.tokens--;
        return true;
    }

    /** That message never was under way: its place is free, and it counts in no minute. */
    synchronized void release(String destination) {
        State state = states.get(destination);
        if (state != null) {
            state.tokens = Math.min(perMinute, state.tokens + 1);
            ended(destination, LoadSignal.UNKNOWN);
        }
    }

    /** That message is no longer under way. */
    synchronized void ended(String destination, LoadSignal course) {
        State state = states.get(destination);
        if (state == null) {
            return;
        }
        long now = nanos.getAsLong();
        state.underWay--;
        switch (course) {
            case ANSWERED -> {
                state.slots = Math.min(connections, state.slots + 1);
                state.failures = 0;
            }
            // several that failed together are one failure
            case SLOW_DOWN, CLOSED, AWAY -> {
                if (now - state.restsUntil >= 0) {
                    state.slots = course == LoadSignal.AWAY ? 1 : Math.max(1, state.slots / 2);
                    state.restsUntil = now
                            + (course == LoadSignal.SLOW_DOWN
                                    ? MOMENT_NANOS
                                    : FIRST_REST
                                            .multipliedBy(1L << Math.min(state.failures++, MOST_DOUBLINGS))
                                            .toNanos());
                }
            }
            case UNKNOWN -> {}
        }
        if (state.underWay == 0 && now - state.restsUntil >= 0) {
            state.restsUntil = now; // from here on it is only remembered
        }
    }
}
