package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.log.LineLimit;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.base.rate.ClientNetwork;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one listener about requests. Every request of a known credential has its line. Those that strangers can
 * cause are bounded, each kind by itself: whoever tries out paths does not hide who opens links.
 */
final class RequestLog {
    private final Map<Kind, LineLimit> limits = new EnumMap<>(Kind.class);

    /** What a request without a known credential was. */
    enum Kind {
        /** No HTTP that can be understood, or for a host that is not served. */
        BROKEN,
        /** To a path that there is not. */
        UNKNOWN,
        /** Without a credential where one is needed. */
        REFUSED,
        /** To a route that needs no credential: a link, a page, a sign-up. */
        PUBLIC;

        /** The kind of a request by its route, null where there is none. */
        static Kind of(@Nullable Route route) {
            if (route == null) {
                return UNKNOWN;
            }
            return route.access() == Gate.PUBLIC ? PUBLIC : REFUSED;
        }
    }

    /**
     * A log that starts to count now.
     *
     * @param nanos monotonic nanoseconds, as {@link System#nanoTime}
     */
    RequestLog(LongSupplier nanos) {
        for (Kind kind : Kind.values()) {
            limits.put(kind, new LineLimit("request_" + kind.name().toLowerCase(Locale.ROOT), nanos));
        }
    }

    /** Tells once a minute what was left out, until the server stops. */
    void start(Scheduler scheduler) {
        scheduler.schedule(
                () -> {
                    report();
                    start(scheduler);
                },
                1,
                TimeUnit.MINUTES);
    }

    /**
     * Writes the line of a request.
     *
     * @param route null when there is none
     * @param caller null for a stranger
     * @param result how it ended
     */
    void write(Exchange exchange, @Nullable Route route, @Nullable Caller caller, AccessLog.Result result) {
        if (caller != null || isAdmitted(Kind.of(route), exchange.remoteAddress())) {
            LogLine line = AccessLog.line(exchange, route)
                    .with("status", result.status())
                    .with("ms", result.millis());
            AccessLog.caller(named(line, exchange), caller)
                    .with("cut", result.written() ? null : true)
                    .write();
        }
    }

    /** Writes the line of a request that never came to the routes. */
    void writeBroken(Exchange exchange, int status) {
        if (isAdmitted(Kind.BROKEN, exchange.remoteAddress())) {
            named(LogLine.of("request").with("route", "none").with("status", status), exchange)
                    .write();
        }
    }

    private static LogLine named(LogLine line, Exchange exchange) {
        return line.with("request_id", exchange.id()).with("remote", exchange.remoteAddress());
    }

    /** Tells what was left out; called now and then. */
    void report() {
        limits.values().forEach(LineLimit::report);
    }

    /** Whether a line about such a request from that address may be written; if not, it is counted. */
    boolean isAdmitted(Kind kind, String address) {
        return Objects.requireNonNull(limits.get(kind)).admit(ClientNetwork.of(address));
    }
}
