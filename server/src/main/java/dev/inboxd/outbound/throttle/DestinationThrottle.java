package dev.inboxd.outbound.throttle;

import dev.inboxd.smtp.client.SmtpDelivery;
import dev.inboxd.smtp.client.SmtpResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Limits the deliveries to each destination from this node. A destination is a domain of recipients; one that is slow,
 * away or asks for less delays no mail but its own. Safe for concurrent use.
 *
 * <p>The limit of concurrent deliveries grows with each reply and is halved when the destination asks to slow down. It
 * then gets no mail for five seconds. When it closes its service (421) or cannot be reached, it gets none for half a
 * minute, doubled each time up to 16 minutes. A reply that one sender's messages may provoke causes only the five
 * seconds, so that no sender can stop the mail of others.
 */
public final class DestinationThrottle {
    private static final int INITIAL_LIMIT = 5;
    private static final int CROWDED_LIMIT = 2;
    private static final long SLOW_DOWN_NANOS = Duration.ofSeconds(5).toNanos();
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(30);
    private static final int MAX_DOUBLINGS = 5; // 16 minutes
    private static final long RETENTION_NANOS = Duration.ofHours(1).toNanos();
    private static final double NANOS_PER_MINUTE = 60e9;

    private final int connections;
    private final int perMinute;
    private final LongSupplier nanos;
    private final Map<String, State> states = new HashMap<>();

    /** What the result of an attempt says about the load of the destination. */
    public enum LoadSignal {
        /** The destination replied. */
        ANSWERED,
        /** The destination refused a message temporarily for a reason of policy (4.7.x). */
        SLOW_DOWN,
        /** The destination closed its service (421). */
        CLOSED,
        /** No host of the destination opened a session. */
        AWAY,
        /** The result says nothing about the destination. */
        UNKNOWN;

        /** The signal of a delivery. */
        public static LoadSignal of(SmtpDelivery delivery) {
            // First the policy replies, which one sender may have provoked and which also come as 421: others go on
            // soon.
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
        private int limit;
        private int inProgress;
        private int failures;
        private long backoffUntil;
        private double tokens;
        private long countedAt;

        State(int limit, double tokens, long now) {
            this.limit = limit;
            this.backoffUntil = now;
            this.tokens = tokens;
            this.countedAt = now;
        }
    }

    /**
     * The limits of every destination.
     *
     * @param connections maximum number of concurrent deliveries to one destination
     * @param perMinute maximum number of messages to one destination in a minute
     * @param nanos a monotonic clock, in nanoseconds
     */
    public DestinationThrottle(int connections, int perMinute, LongSupplier nanos) {
        this.connections = connections;
        this.perMinute = perMinute;
        this.nanos = nanos;
    }

    /** The number of messages that may be sent to a destination missing in {@link #snapshot}. */
    public int defaultLimit() {
        return Math.min(Math.min(INITIAL_LIMIT, connections), perMinute);
    }

    /**
     * The number of messages that may be sent to each known destination now; others have {@link #defaultLimit}.
     *
     * @param crowded whether few permits are free on this node: slow destinations must then leave some to others
     */
    public synchronized Map<String, Integer> snapshot(boolean crowded) {
        long now = nanos.getAsLong();
        Map<String, Integer> limits = new HashMap<>();
        for (Iterator<Map.Entry<String, State>> all = states.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, State> entry = all.next();
            State state = entry.getValue();
            refillTokens(state, now);
            if (state.inProgress == 0 && now - state.backoffUntil > RETENTION_NANOS) {
                all.remove();
            } else {
                limits.put(entry.getKey(), free(state, crowded, now));
            }
        }
        return limits;
    }

    private int free(State state, boolean crowded, long now) {
        if (now - state.backoffUntil < 0) {
            return 0;
        }
        int limit = crowded ? Math.min(state.limit, CROWDED_LIMIT) : state.limit;
        return Math.max(0, Math.min(limit - state.inProgress, (int) Math.min(state.tokens, Integer.MAX_VALUE)));
    }

    private void refillTokens(State state, long now) {
        state.tokens = Math.min(perMinute, state.tokens + (now - state.countedAt) / NANOS_PER_MINUTE * perMinute);
        state.countedAt = now;
    }

    /** Ends the back-off of a destination, on the operator's word. */
    public synchronized void retry(String destination) {
        State state = states.get(destination);
        if (state != null) {
            state.failures = 0;
            state.backoffUntil = Math.min(state.backoffUntil, nanos.getAsLong());
        }
    }

    /**
     * Counts a message as being delivered.
     *
     * @return false when the destination's limit is reached, because another thread was faster
     */
    public synchronized boolean begin(String destination) {
        long now = nanos.getAsLong();
        State state = states.computeIfAbsent(
                destination, _ -> new State(Math.min(INITIAL_LIMIT, connections), perMinute, now));
        refillTokens(state, now);
        if (free(state, false, now) == 0) {
            return false;
        }
        state.inProgress++;
        state.tokens--;
        return true;
    }

    /** Takes back {@link #begin}: the message was not sent, and does not count for the minute. */
    public synchronized void release(String destination) {
        State state = states.get(destination);
        if (state != null) {
            state.tokens = Math.min(perMinute, state.tokens + 1);
            ended(destination, LoadSignal.UNKNOWN);
        }
    }

    /**
     * Counts a message as no longer being delivered.
     *
     * @param signal what its result says about the destination
     */
    public synchronized void ended(String destination, LoadSignal signal) {
        State state = states.get(destination);
        if (state == null) {
            return;
        }
        long now = nanos.getAsLong();
        state.inProgress--;
        switch (signal) {
            case ANSWERED -> {
                state.limit = Math.min(connections, state.limit + 1);
                state.failures = 0;
            }
            // several concurrent failures count once
            case SLOW_DOWN, CLOSED, AWAY -> {
                if (now - state.backoffUntil >= 0) {
                    state.limit = signal == LoadSignal.AWAY ? 1 : Math.max(1, state.limit / 2);
                    state.backoffUntil = now
                            + (signal == LoadSignal.SLOW_DOWN
                                    ? SLOW_DOWN_NANOS
                                    : FIRST_BACKOFF
                                            .multipliedBy(1L << Math.min(state.failures++, MAX_DOUBLINGS))
                                            .toNanos());
                }
            }
            case UNKNOWN -> {}
        }
        if (state.inProgress == 0 && now - state.backoffUntil >= 0) {
            state.backoffUntil = now; // start of the time for which the state is retained
        }
    }
}
