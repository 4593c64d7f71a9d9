package dev.inboxd.inbound.filter;

import dev.inboxd.base.json.Json;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.mail.spam.SpamRule;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.PostRequest;
import dev.inboxd.net.RequestHeader;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.smtp.server.Envelope;
import dev.inboxd.smtp.server.Spool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Rspamd about messages over HTTP ({@code POST /checkv2}), in place of the rules of {@link SpamRule}. While it
 * does not answer in time, the rules apply and no message waits for it. A malformed answer affects only the message
 * that it was given for.
 */
public final class Rspamd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rspamd.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** After this many failures in a row no requests are sent for the pause. */
    private static final int MAX_FAILURES = 3;

    private static final long PAUSE_NANOS = Duration.ofSeconds(30).toNanos();
    /** Maximum octets of a message that is sent: spam is small, and larger messages are not held in memory for this. */
    private static final int LARGEST = 512 * 1024;

    private static final int MAX_ANSWER = 256 * 1024;
    /** The actions that mean spam. "greylist" and "soft reject", which only delay, do not. */
    private static final Set<String> SPAM = Set.of("reject", "add header", "rewrite subject");

    private final SafeHttp http;
    private final Target target;
    private final Duration timeout;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong pausedUntil = new AtomicLong(System.nanoTime());

    /**
     * A client of one Rspamd.
     *
     * @param http can reach private addresses; closed with this client
     * @param url of Rspamd's normal worker, such as {@code http://127.0.0.1:11333}
     * @throws IllegalArgumentException when the URL cannot be requested
     */
    public Rspamd(SafeHttp http, URI url) {
        this(http, url, TIMEOUT);
    }

    Rspamd(SafeHttp http, URI url, Duration timeout) {
        this.http = http;
        this.timeout = timeout;
        String base = url.toString();
        TargetCheck check = http.check(base + (base.endsWith("/") ? "" : "/") + "checkv2");
        if (!(check instanceof TargetCheck.Valid usable)) {
            throw new IllegalArgumentException("INBOXD_SPAM_URL is not a URL that can be requested: " + check);
        }
        this.target = usable.target();
    }

    /** Rspamd's verdict on a received message; null when it was not asked or gave none. Blocks for seconds at most. */
    @Nullable
    Boolean isSpam(Envelope envelope, Spool content) throws IOException {
        return isSkipped(content.size()) ? null : ask(envelope.id(), fields(envelope), message(content));
    }

    /**
     * The same for an outgoing message.
     *
     * @param user the address of the submitting inbox
     */
    @Nullable
    Boolean isSpam(String user, RawMessage raw) throws IOException {
        List<RequestHeader> fields = new ArrayList<>();
        add(fields, "Content-Type", "message/rfc822");
        add(fields, "User", user);
        add(fields, "From", user);
        add(fields, "Queue-Id", raw.id());
        return isSkipped(raw.size()) ? null : ask(raw.id(), fields, raw.bytes());
    }

    /** Whether a message of that size is not sent to Rspamd. */
    private boolean isSkipped(long size) {
        return size > LARGEST || System.nanoTime() - pausedUntil.get() < 0;
    }

    private @Nullable Boolean ask(String id, List<RequestHeader> fields, byte[] message) {
        return BestEffort.<Optional<Boolean>>or(Optional.empty(), id, () -> {
                    try {
                        return Optional.ofNullable(ask(fields, message));
                    } catch (IOException unwritten) { // not expected: the answer is written to memory
                        throw new UncheckedIOException(unwritten);
                    }
                })
                .orElse(null);
    }

    private @Nullable Boolean ask(List<RequestHeader> fields, byte[] message) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        HttpOutcome outcome =
                http.post(new PostRequest(target, fields, message, timeout, "rspamd"), MAX_ANSWER, answer);
        if (!(outcome instanceof HttpOutcome.Response answered)) {
            recordFailure(outcome);
            return null;
        }
        failures.set(0);
        Boolean spam = (answered.successful() && !answered.truncated()) ? read(answer.toByteArray()) : null;
        if (spam == null) {
            // Its answer may quote the message, so only the status is logged.
            LOG.warn("Rspamd gave no verdict on a message, the built-in rules apply status={}", answered.status());
        }
        return spam;
    }

    /** Counts a failure. A single one may be due to its message; several in a row are not. */
    private void recordFailure(HttpOutcome outcome) {
        boolean pauses = failures.incrementAndGet() >= MAX_FAILURES;
        if (pauses) {
            pausedUntil.set(System.nanoTime() + PAUSE_NANOS);
        }
        LOG.warn(
                "Rspamd does not answer, the built-in rules apply pause={} outcome={}",
                pauses ? "30s" : "none",
                outcome);
    }

    private static byte[] message(Spool content) throws IOException {
        try (InputStream in = content.open()) {
            in.skipNBytes(content.clientStart());
            return in.readAllBytes();
        }
    }

    @Override
    public void close() {
        http.close();
    }

    private static @Nullable Boolean read(byte[] answer) {
        try {
            Object action = Json.parse(answer) instanceof Map<?, ?> object ? object.get("action") : null;
            return action == null ? null : Boolean.valueOf(SPAM.contains(action));
        } catch (RuntimeException malformed) {
            LOG.debug("Rspamd's answer is not JSON", malformed);
            return null;
        }
    }

    private static List<RequestHeader> fields(Envelope envelope) {
        List<RequestHeader> fields = new ArrayList<>();
        add(fields, "Content-Type", "message/rfc822");
        add(fields, "IP", envelope.peer().address().getHostAddress());
        add(fields, "Helo", envelope.peer().helo());
        add(fields, "From", envelope.reversePath().address());
        add(fields, "Queue-Id", envelope.id());
        return fields;
    }

    /** Adds a field unless its value is not allowed there, such as an address in UTF-8. */
    private static void add(List<RequestHeader> fields, String name, String value) {
        if (!value.isEmpty() && RequestHeader.isValue(value)) {
            fields.add(new RequestHeader(name, value));
        }
    }
}
