package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.PageSeal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An admitted request, for its handler. Used by one thread at a time. */
public final class Request {
    /** Bytes that an item of a list takes while the answer is built: its row, its objects, and its JSON. */
    private static final int ITEM = 16 * 1024;
    /** Copies of an answer in memory: the text of each item, the whole text, and the octets. */
    private static final int COPIES = 3;
    /** P12: a revoked key stops working within a second. */
    private static final Duration LONG_BODY = Duration.ofSeconds(1);

    private final RequestSource exchange;
    private final PageSeal seal;
    private final RouteTable.Match match;
    private final List<String> segments;
    private final Faults faults = new Faults();
    private final ChangeNote change = new ChangeNote();
    private @Nullable Caller caller;
    private ScopeResolver.@Nullable ResolvedScope place;
    private @Nullable Query query;
    private @Nullable JsonBody body;
    private boolean isParked;
    private Runnable readmission = () -> {};
    private @Nullable Function<Supplier<RouteCall>, Response> calls;

    Request(RequestSource exchange, PageSeal seal, RouteTable.Match match, List<String> segments) {
        this.exchange = exchange;
        this.seal = seal;
        this.match = match;
        this.segments = segments;
    }

    void admit(Caller admitted, ScopeResolver.ResolvedScope narrowed) {
        caller = admitted;
        place = isParked ? new ScopeResolver.ResolvedScope(narrowed.view(), null) : narrowed;
    }

    void onAgain(Runnable admission) {
        readmission = admission;
    }

    /**
     * Admits the request again, with the caller as it is now; for a handler that has waited. {@link #caller()} and
     * {@link #view()} are renewed.
     *
     * @throws dev.inboxd.base.error.Problem as at the first admission: the key was revoked, the inbox deleted
     */
    public void replay() {
        readmission.run();
    }

    void onCall(Function<Supplier<RouteCall>, Response> answer) {
        calls = answer;
    }

    /**
     * Calls another route in the name of this request's caller. It authenticates, admits and renders errors as if the
     * call had come by itself; every call but the first counts in the rate of the key.
     *
     * @param call makes the call; a problem that it throws is rendered too
     * @return the answer, or one that is deferred
     */
    public Response call(Supplier<RouteCall> call) {
        return Objects.requireNonNull(calls, "a public route calls no other").apply(call);
    }

    /** Whether a route would admit this request's caller, if what its path names is there. */
    public boolean opens(Route route) {
        return Admission.opens(route, caller());
    }

    /** Releases values that can be read again: thousands of requests are parked at the same time. */
    void isParked() {
        isParked = true;
        query = null;
        place = place == null ? null : new ScopeResolver.ResolvedScope(place.view(), null);
    }

    RequestSource source() {
        return exchange;
    }

    boolean asksForWebSocket() {
        return exchange.asksForWebSocket();
    }

    /** Whether the request comes from a page that this rule excludes: {@code FOREIGN} of the handler that knows it. */
    boolean isFromForeignPage(String rule) {
        return exchange.isFromForeignPage(rule);
    }

    /** Whether only the header of the answer is asked for: nothing may happen that a GET would do beside answering. */
    public boolean isHead() {
        return exchange.method().equals("HEAD");
    }

    /** The id of this request in answers and logs. */
    public String id() {
        return exchange.id();
    }

    /** The matched route. */
    public Route route() {
        return match.route();
    }

    /** The caller's credential; a public route has none. */
    public Caller caller() {
        if (caller == null) {
            throw new IllegalStateException("a public route has no caller");
        }
        return caller;
    }

    /** The caller's view, narrowed to the pod or inbox of the path. */
    public View view() {
        if (place == null) {
            throw new IllegalStateException("a public route has no view");
        }
        return place.view();
    }

    /**
     * The resource of the path as it was read when the request was admitted, for a handler that accepts a slightly
     * older state.
     *
     * @return null when no resource of that type was read
     */
    public <T> @Nullable T resolved(Class<T> type) {
        return place != null && type.isInstance(place.resource()) ? type.cast(place.resource()) : null;
    }

    /** What the handler says of its change to the observers of requests. */
    public ChangeNote change() {
        return change;
    }

    /** A path parameter, percent-decoded, otherwise unchecked. */
    public String path(String name) {
        return match.value(segments, name);
    }

    /** A parsed path parameter; the parser may throw a problem. */
    public <T> T path(String name, Function<String, T> parser) {
        return parser.apply(path(name));
    }

    /** The query. Its faults are reported together with those of the body. */
    public Query query() {
        Query read = query;
        if (read == null) {
            read = new Query(exchange.rawQuery(), faults);
            query = read;
        }
        return read;
    }

    /** The query as received, for protocols with rules of their own; null when there is none. */
    public @Nullable String rawQuery() {
        return exchange.rawQuery();
    }

    /**
     * The body as a JSON object; an empty body is the empty object. The first call receives it. Whoever presents a key
     * may call it by any media type, as {@code curl -d} does: no web page of somebody else can present one.
     *
     * @throws dev.inboxd.base.error.Problem {@code validation_error} when it is not JSON, has another media type on
     *     a public route, or is compressed; {@code payload_too_large} when it is
     */
    public JsonBody body() {
        JsonBody read = body;
        if (read == null) {
            read = parsed();
            body = read;
        }
        return read;
    }

    /** The body, if the handler asked for it; null for one that nobody has read. */
    public @Nullable JsonBody readBody() {
        return body;
    }

    private JsonBody parsed() {
        byte[] octets = received(match.route().access() == Gate.PUBLIC);
        try {
            return JsonBody.read(octets, faults);
        } catch (Problem wrong) {
            throw RequestBody.isOtherThanJson(exchange.header("Content-Type"))
                    ? RequestBody.badType(wrong.message() + ". Write it as JSON, with Content-Type application/json")
                    : wrong;
        }
    }

    /**
     * The body as received, of any media type, instead of {@link #body()}.
     *
     * @throws dev.inboxd.base.error.Problem {@code payload_too_large}, or {@code validation_error} when it is
     *     compressed or incomplete
     */
    public byte[] octets() {
        return received(false);
    }

    /**
     * Receives the body. A slow body is admitted again afterwards: its key or inbox may be gone by then (promise P12).
     */
    private byte[] received(boolean json) {
        long begin = System.nanoTime();
        byte[] received = exchange.body(match.route().limit(), json);
        if (System.nanoTime() - begin > LONG_BODY.toNanos()) {
            replay();
        }
        return received;
    }

    /** A header field, or null; the first one when repeated. The name is compared without regard to case. */
    public @Nullable String header(String name) {
        return exchange.header(name);
    }
    /** The caller's address, without a port: the peer's, or the one that a trusted proxy states. */
    public String remoteAddress() {
        return exchange.remoteAddress();
    }

    /** Whether the caller speaks TLS, to this server or, as a trusted proxy states, to the proxy. */
    public boolean isSecure() {
        return exchange.isSecure();
    }

    /**
     * Registers work for the end of the answer: after its last byte is written or has failed. The work delays only the
     * next request of the same connection; its exceptions are logged.
     *
     * @param work receives whether the whole answer was written
     */
    public void onAnswered(Consumer<Boolean> work) {
        exchange.onAnswered(work);
    }

    /**
     * Reserves memory for an answer of this many items until it is written; large answers wait for each other.
     *
     * @throws dev.inboxd.base.error.Problem {@code service_unavailable} when the wait takes too long
     */
    public void reserve(int items) {
        exchange.reserve(items * ITEM);
    }

    /**
     * Reserves memory for an answer as it grows, until it is written.
     *
     * @param octets length of its text so far
     * @throws dev.inboxd.base.error.Problem as {@link #reserve}
     */
    public void reserveText(long octets) {
        exchange.reserveText(Math.toIntExact(Math.min(octets * COPIES, Integer.MAX_VALUE)));
    }

    /**
     * The page of a list request, from {@code limit}, {@code page_token} and {@code ascending}. Read the filters from
     * the query first: the token is bound to those read so far, and to route, path, view and direction.
     *
     * @throws dev.inboxd.base.error.Problem {@code validation_error} with every fault of query and body
     */
    public PageRequest page(PageLimit limit) {
        return page(limit, query().flag("ascending", false));
    }

    /** The page of a list with a fixed direction; see {@link #page(PageLimit)}. */
    public PageRequest page(PageLimit limit, boolean ascending) {
        int size = limit.read(query().single("limit"), faults);
        String token = query().single("page_token");
        faults.check();
        reserve(size);
        List<String> walk =
                PageWalk.of(this, segments, place == null ? "" : place.view().toString(), ascending);
        Cursor after = token == null || token.isEmpty() ? null : seal.open(walk, token);
        return new PageRequest(size, ascending, after, end -> seal.seal(walk, end));
    }
}
