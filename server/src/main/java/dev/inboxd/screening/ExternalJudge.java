package dev.inboxd.screening;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.mail.screen.ScreenAttachment;
import dev.inboxd.mail.screen.ScreenInput;
import dev.inboxd.mail.screen.ScreenReason;
import dev.inboxd.mail.screen.ScreenVerdict;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.PostRequest;
import dev.inboxd.net.RequestHeader;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A judge of the operator's, asked over HTTP: a classifier, or a model behind it (docs/operating.md, "Another judge").
 * It gets the texts of a mail and answers with a verdict and reasons. While it is silent it is left alone for a time,
 * and no mail waits for it. Neither what it is asked nor what it answers is logged. Safe for concurrent use.
 */
public final class ExternalJudge implements AutoCloseable {
    /** How long it may take for one mail. */
    public static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(ExternalJudge.class);
    /** Requests at a time; who finds none free does not wait. */
    private static final int MOST_AT_ONCE = 32;
    /** After this many failures in a row no requests are sent for the pause. */
    private static final int MAX_FAILURES = 3;

    private static final long PAUSE_NANOS = Duration.ofSeconds(30).toNanos();
    /** Octets of the texts of one mail together. */
    private static final int MOST_TEXT = 256 * 1024;

    private static final int MOST_ANSWER = 16 * 1024;
    private static final Map<String, ScreenReason> REASONS = Arrays.stream(ScreenReason.values())
            .collect(Collectors.toUnmodifiableMap(ScreenReason::word, Function.identity()));

    private final SafeHttp http;
    private final Target target;
    private final LongConsumer answers;
    private final LongConsumer silences;
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong pausedUntil = new AtomicLong(System.nanoTime());

    /**
     * A client of one judge.
     *
     * @param http can reach private addresses; closed with this client
     * @param url where mail is posted to
     * @throws IllegalArgumentException when the URL cannot be requested
     */
    public ExternalJudge(SafeHttp http, URI url, Metrics metrics) {
        this.http = http;
        TargetCheck check = http.check(url.toString());
        if (!(check instanceof TargetCheck.Valid usable)) {
            throw new IllegalArgumentException("INBOXD_SCREEN_URL is not a URL that can be requested: " + check);
        }
        this.target = usable.target();
        this.answers = counter(metrics, "answered");
        this.silences = counter(metrics, "silent");
    }

    private static LongConsumer counter(Metrics metrics, String outcome) {
        return metrics.counter(
                "inboxd.screen.external",
                "Mail that another judge was to be asked about",
                Map.entry("outcome", outcome));
    }

    /**
     * The verdict on a mail; empty when the judge is silent. Blocks for as long as is given at most.
     *
     * @param within the time for it, at most {@link #TIMEOUT}
     */
    public Optional<ScreenVerdict> ask(ScreenInput mail, Duration within) {
        Optional<ScreenVerdict> verdict = Optional.empty();
        if (!within.isNegative()
                && !within.isZero()
                && System.nanoTime() - pausedUntil.get() >= 0
                && places.tryAcquire()) {
            try {
                verdict = posted(Json.write(question(mail)), within);
            } catch (IOException | RuntimeException unasked) { // such as a text that is no JSON: no scan refuses mail
                LOG.warn(
                        "The judge at INBOXD_SCREEN_URL was not asked error={}",
                        unasked.getClass().getName());
            } finally {
                places.release();
            }
        }
        (verdict.isPresent() ? answers : silences).accept(1);
        return verdict;
    }

    private Optional<ScreenVerdict> posted(byte[] question, Duration within) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        List<RequestHeader> fields = List.of(new RequestHeader("Content-Type", "application/json"));
        HttpOutcome outcome =
                http.post(new PostRequest(target, fields, question, within, "screen"), MOST_ANSWER, answer);
        boolean complete =
                outcome instanceof HttpOutcome.Response answered && answered.successful() && !answered.truncated();
        Optional<ScreenVerdict> verdict = complete ? read(answer.toByteArray()) : Optional.empty();
        if (verdict.isPresent()) {
            failures.set(0);
        } else {
            recordFailure(outcome);
        }
        return verdict;
    }

    private void recordFailure(HttpOutcome outcome) {
        boolean pauses = failures.incrementAndGet() >= MAX_FAILURES;
        if (pauses) {
            pausedUntil.set(System.nanoTime() + PAUSE_NANOS);
        }
        String what = outcome instanceof HttpOutcome.Response answered
                ? "status " + answered.status() + " without a verdict"
                : String.valueOf(outcome);
        LOG.warn(
                "The judge at INBOXD_SCREEN_URL gave no verdict pause={} outcome=\"{}\"",
                pauses ? "30s" : "none",
                what);
    }

    private static Optional<ScreenVerdict> read(byte[] answer) {
        try {
            if (!(Json.parse(answer) instanceof Map<?, ?> object) || !(object.get("verdict") instanceof String word)) {
                return Optional.empty();
            }
            return switch (word) {
                case "clear" -> Optional.of(ScreenVerdict.CLEAR);
                case "review" -> Optional.of(new ScreenVerdict(true, reasons(object.get("reasons"))));
                default -> Optional.empty();
            };
        } catch (RuntimeException malformed) { // its message may quote the answer, and that the mail
            LOG.debug("The answer of the judge at INBOXD_SCREEN_URL is not JSON");
            return Optional.empty();
        }
    }

    /** Words that nobody knows are dropped. */
    private static List<ScreenReason> reasons(@Nullable Object words) {
        return words instanceof List<?> list
                ? list.stream()
                        .map(REASONS::get)
                        .filter(Objects::nonNull)
                        .distinct()
                        .limit(ScreenVerdict.MAX_REASONS)
                        .toList()
                : List.of();
    }

    /** The texts, as many octets of them as are sent. */
    private static JsonObject question(ScreenInput mail) {
        TextBudget budget = new TextBudget(MOST_TEXT);
        return JsonObject.of("subject", budget.take(mail.subject()))
                .with("from_name", budget.take(mail.fromName()))
                .with("names", mail.names().isEmpty() ? null : budget.take(String.join("\n", mail.names())))
                .with("headers", mail.fields().isEmpty() ? null : budget.take(mail.fields()))
                .with("text", budget.take(mail.text()))
                .with("html", budget.take(mail.html()))
                .with(
                        "attachments",
                        mail.attachments().stream()
                                .map(attachment -> attachment(attachment, budget))
                                .toList());
    }

    private static JsonObject attachment(ScreenAttachment attachment, TextBudget budget) {
        return JsonObject.of("name", budget.take(attachment.name()))
                .with("content_type", attachment.contentType())
                .with("text", budget.take(attachment.text()));
    }

    @Override
    public void close() {
        http.close();
    }
}
