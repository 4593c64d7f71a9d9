package dev.inboxd.inbound;

import dev.inboxd.mail.spam.SpamRule;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.PostRequest;
import dev.inboxd.net.RequestHeader;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.platform.json.Json;
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
 * Asks an Rspamd about messages, over its HTTP protocol ({@code POST /checkv2}). It takes the place of the facts of {@link
 * SpamRule}; while it does not answer in time, they count, and no mail waits for it. An odd answer is about the message that
 * it was given for: nobody else's goes without for that.
 */
public final class Rspamd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rspamd.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** After so many questions in a row without an answer it is left alone, and so long. */
    private static final int SILENCES = 3;

    private static final long REST = Duration.ofSeconds(30).toNanos();
    /** Spam is small; larger mail is not held in memory for it. */
    private static final int LARGEST = 512 * 1024;

    private static final int LARGEST_ANSWER = 256 * 1024;
    /** What it would do with spam. Delaying, which it also knows, is no judgement. */
    private static final Set<String> SPAM = Set.of("reject", "add header", "rewrite subject");

    private final SafeHttp http;
    private final Target target;
    private final Duration patience;
    private final AtomicInteger silences = new AtomicInteger();
    private final AtomicLong restUntil = new AtomicLong(System.nanoTime());

    /**
     * An Rspamd.
     *
     * @param http with which private addresses can be reached; closed with this
     * @param url of its normal worker, such as {@code http://127.0.0.1:11333}
     * @throws IllegalArgumentException when that cannot be asked
     */
    public Rspamd(SafeHttp http, URI url) {
        this(http, url, PATIENCE);
    }

    Rspamd(SafeHttp http, URI url, Duration patience) {
        this.http = http;
        this.patience = patience;
        String base = url.toString();
        TargetCheck check = http.check(base + (base.endsWith("/") ? "" : "/") + "checkv2");
        if (!(check instanceof TargetCheck.Valid usable)) {
            throw new IllegalArgumentException("INBOXD_SPAM_URL cannot be asked: " + check);
        }
        this.target = usable.target();
    }

    /** Whether it calls the message spam; null when it was not asked or does not say. Blocks for seconds at most. */
    @Nullable
    Boolean isSpam(Envelope envelope, Spool content) throws IOException {
        return isPassed(content.size()) ? null : ask(envelope.id(), fields(envelope), message(content));
    }

    /** The same of a message that the user of that address submitted to us. */
    @Nullable
    Boolean isSpam(String user, RawMessage raw) throws IOException {
        List<RequestHeader> fields = new ArrayList<>();
        add(fields, "Content-Type", "message/rfc822");
        add(fields, "User", user);
        add(fields, "From", user);
        add(fields, "Queue-Id", raw.id());
        return isPassed(raw.size()) ? null : ask(raw.id(), fields, raw.bytes());
    }

    /** Whether a message of that size goes by unasked. */
    private boolean isPassed(long size) {
        return size > LARGEST || System.nanoTime() - restUntil.get() < 0;
    }

    private @Nullable Boolean ask(String id, List<RequestHeader> fields, byte[] message) {
        return BestEffort.<Optional<Boolean>>or(Optional.empty(), id, () -> {
                    try {
                        return Optional.ofNullable(ask(fields, message));
                    } catch (IOException unwritten) { // an answer goes into memory
                        throw new UncheckedIOException(unwritten);
                    }
                })
                .orElse(null);
    }

    private @Nullable Boolean ask(List<RequestHeader> fields, byte[] message) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        HttpOutcome outcome =
                http.post(new PostRequest(target, fields, message, patience, "rspamd"), LARGEST_ANSWER, answer);
        if (!(outcome instanceof HttpOutcome.Response answered)) {
            silent(outcome);
            return null;
        }
        silences.set(0);
        Boolean spam = (answered.successful() && !answered.truncated()) ? read(answer.toByteArray()) : null;
        if (spam == null) {
            LOG.warn("Rspamd has no judgement of a message, the built-in one counts: {}", answered);
        }
        return spam;
    }

    /** One message may be what it takes too long over, or breaks off over; several in a row are not. */
    private void silent(HttpOutcome outcome) {
        boolean resting = silences.incrementAndGet() >= SILENCES;
        if (resting) {
            restUntil.set(System.nanoTime() + REST);
        }
        LOG.warn("Rspamd does not answer, the built-in judgement counts{}: {}", resting ? " for a while" : "", outcome);
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
            LOG.debug("Rspamd answers what is no JSON", malformed);
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

    /** What cannot stand in a field, such as an address in UTF-8, is left out. */
    private static void add(List<RequestHeader> fields, String name, String value) {
        if (!value.isEmpty() && RequestHeader.isValue(value)) {
            fields.add(new RequestHeader(name, value));
        }
    }
}
