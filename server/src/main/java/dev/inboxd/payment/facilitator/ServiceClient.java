package dev.inboxd.payment.facilitator;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.log.TimerFamily;
import dev.inboxd.net.FetchRequest;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.PostRequest;
import dev.inboxd.net.RequestHeader;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls one service of the operator's with JSON: within a deadline, so many calls at a time, and an answer of 64 KiB at
 * most, whatever its status. No redirect is followed. Header fields are secret, and neither they nor what is posted are
 * ever logged. Safe for concurrent use.
 */
final class ServiceClient {
    /** The largest answer, in octets. */
    static final int MOST_ANSWER = 64 * 1024;

    private static final String GROUP = "facilitator";
    /** Members of answers that say yes or no. */
    private static final List<String> VERDICTS = List.of("isValid", "success", "valid", "settled");

    private final Parts parts;
    private final String base;
    private final List<RequestHeader> fields;
    private final Semaphore places;

    /**
     * What all clients share.
     *
     * @param http reaches addresses of the operator's
     * @param times of calls, by the call and its outcome
     */
    record Parts(SafeHttp http, ServiceLimits limits, TimerFamily times) {
        static Parts of(SafeHttp http, Metrics metrics) {
            return new Parts(
                    http,
                    ServiceLimits.USUAL,
                    metrics.timers(
                                    "inboxd.facilitator",
                                    "Calls to facilitators and verifiers",
                                    Metrics.REMOTE,
                                    "call",
                                    "outcome")
                            .with("verify", "ok")
                            .with("settle", "ok"));
        }
    }

    /** A call of a service; its word is its path where it has one. */
    enum Call {
        VERIFY("verify"),
        SETTLEMENT("settle"),
        SUPPORTED("supported");

        private final String word;

        Call(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** One exchange, which writes the content of the answer. */
    @FunctionalInterface
    private interface Exchange {
        HttpOutcome run(OutputStream content) throws IOException;
    }

    /**
     * A client of a service.
     *
     * @param base what paths are added to, without a slash at its end
     * @param headers fields of each request
     * @throws IllegalArgumentException when the URL cannot be requested
     */
    ServiceClient(Parts parts, URI base, Map<String, String> headers) {
        this.parts = parts;
        this.base = base.toString();
        this.places = new Semaphore(parts.limits.places(), true);
        this.fields = headers.entrySet().stream()
                .map(field -> new RequestHeader(field.getKey(), field.getValue()))
                .toList();
        var _ = target("");
    }

    private Target target(String path) {
        TargetCheck check = parts.http.check(base + path);
        if (!(check instanceof TargetCheck.Valid usable)) {
            throw new IllegalArgumentException("not a URL that can be requested: " + base + path + ": " + check);
        }
        return usable.target();
    }

    /**
     * Posts JSON, and waits for the answer.
     *
     * @param path begins with a slash, or is empty
     * @param more header fields of this request
     */
    ServiceAnswer post(Call call, String path, byte[] json, List<RequestHeader> more) {
        List<RequestHeader> all = new ArrayList<>(fields);
        all.addAll(more);
        all.add(new RequestHeader("Accept", "application/json"));
        all.add(new RequestHeader("Accept-Encoding", "identity"));
        all.add(new RequestHeader("Content-Type", "application/json"));
        ServiceLimits limits = parts.limits;
        PostRequest request = new PostRequest(
                target(path),
                all,
                json,
                call == Call.SETTLEMENT ? limits.settleTimeout() : limits.verifyTimeout(),
                GROUP);
        return placed(call, content -> parts.http.ask(request, MOST_ANSWER, content));
    }

    /** Gets JSON; the content of another answer than 2xx is not read. */
    ServiceAnswer get(Call call, String path) {
        FetchRequest request = new FetchRequest(target(path), parts.limits.verifyTimeout(), MOST_ANSWER, null, fields);
        return placed(call, content -> parts.http.fetch(request, content));
    }

    /** Makes an exchange once there is a place for it. */
    private ServiceAnswer placed(Call call, Exchange exchange) {
        long began = System.nanoTime();
        ServiceAnswer answer;
        try {
            if (!places.tryAcquire(parts.limits.patience().toNanos(), TimeUnit.NANOSECONDS)) {
                answer = new ServiceAnswer.Unsent(parts.limits.places() + " calls of the service are under way");
            } else {
                try {
                    answer = answer(call, exchange);
                } finally {
                    places.release();
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            answer = new ServiceAnswer.Unsent("the server stops");
        }
        parts.times.record(System.nanoTime() - began, call.word, outcome(answer));
        return answer;
    }

    private static String outcome(ServiceAnswer answer) {
        return switch (answer) {
            // A refusal is an answer, whatever its status: facilitators differ in that.
            case ServiceAnswer.Answered answered ->
                answered.isSuccessful() || isVerdict(answered.json()) ? "ok" : "status";
            case ServiceAnswer.Unsent _ -> "unsent";
            case ServiceAnswer.Lost _ -> "lost";
        };
    }

    private static boolean isVerdict(@Nullable Map<?, ?> json) {
        return json != null && VERDICTS.stream().anyMatch(member -> json.get(member) instanceof Boolean);
    }

    private static ServiceAnswer answer(Call call, Exchange exchange) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        HttpOutcome outcome;
        try {
            outcome = exchange.run(content);
        } catch (IOException unwritten) { // not expected: the answer is written to memory
            return new ServiceAnswer.Lost("the answer was not read");
        }
        return switch (outcome) {
            // Of what is got, the content of a failure is not read, and counts as cut too.
            case HttpOutcome.Response answered
            when answered.truncated() && (call != Call.SUPPORTED || answered.successful()) ->
                new ServiceAnswer.Lost("the answer has more than " + MOST_ANSWER + " octets");
            case HttpOutcome.Response answered ->
                new ServiceAnswer.Answered(answered.status(), object(content.toByteArray()));
            case HttpOutcome.NoResponse failed ->
                failed.unsent() ? new ServiceAnswer.Unsent(failed.detail()) : new ServiceAnswer.Lost(failed.detail());
        };
    }

    private static @Nullable Map<?, ?> object(byte[] content) {
        try {
            return Json.parse(content) instanceof Map<?, ?> object ? object : null;
        } catch (Problem malformed) { // its message may quote the answer
            return null;
        }
    }
}
