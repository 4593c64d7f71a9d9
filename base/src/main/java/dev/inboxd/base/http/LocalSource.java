package dev.inboxd.base.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request of this process itself, on behalf of a request from outside, or of a connection that outlives one. */
final class LocalSource implements RequestSource {
    private final LocalCall call;
    private final @Nullable RequestSource outer;
    private final String id;
    private final List<Consumer<Boolean>> work = new ArrayList<>(0);

    /** @param outer whose memory the answer takes; null for a connection that outlives its request */
    LocalSource(LocalCall call, @Nullable RequestSource outer) {
        this(call, outer, outer == null ? RequestId.next(System.currentTimeMillis()) : outer.id());
    }

    /** A call with an id that was given before. */
    LocalSource(LocalCall call, @Nullable RequestSource outer, String id) {
        this.call = call;
        this.outer = outer;
        this.id = id;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String method() {
        return call.method();
    }

    @Override
    public @Nullable String rawQuery() {
        return call.query();
    }

    /** The fields of the call. Those of the request behind it say something about that one. */
    @Override
    public @Nullable String header(String name) {
        return call.headers().get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public String remoteAddress() {
        return outer == null ? "" : outer.remoteAddress();
    }

    @Override
    public boolean isSecure() {
        return outer != null && outer.isSecure();
    }

    @Override
    public boolean isForwarded() {
        return outer != null && outer.isForwarded();
    }

    @Override
    public boolean asksForWebSocket() {
        return false;
    }

    @Override
    public boolean isFromForeignPage(String rule) {
        return false;
    }

    @Override
    public byte[] body(BodyLimit limit, boolean json) {
        String text = call.body();
        byte[] octets = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        if (octets.length > limit.bytes()) {
            throw new BodyTooLargeException(limit);
        }
        return octets;
    }

    @Override
    public void onAnswered(Consumer<Boolean> then) {
        if (outer == null) {
            work.add(then);
        } else {
            outer.onAnswered(then);
        }
    }

    @Override
    public void reserve(int size) {
        if (outer != null) {
            outer.reserve(size);
        }
    }

    @Override
    public void reserveText(int size) {
        if (outer != null) {
            outer.reserveText(size);
        }
    }

    /** Runs what was registered for the end of an answer that no request from outside carries. */
    void answered() {
        work.forEach(then -> then.accept(true));
        work.clear();
    }
}
