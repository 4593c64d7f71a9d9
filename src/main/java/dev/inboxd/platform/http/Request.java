package dev.inboxd.platform.http;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Faults;
import dev.inboxd.platform.json.JsonBody;
import dev.inboxd.platform.page.Cursor;
import dev.inboxd.platform.page.PageLimit;
import dev.inboxd.platform.page.PageRequest;
import dev.inboxd.platform.page.PageSeal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An admitted request, as its handler reads it. One thread at a time. */
public final class Request {
    /** What an item of a list takes while the answer is made: its row, what is read from it, and its JSON. */
    private static final int ITEM = 16 * 1024;
    /** An answer is there as text of each item, as one text, and as octets. */
    private static final int COPIES = 3;
    /** P12: a key is dead a second after it was revoked. */
    private static final Duration LONG_BODY = Duration.ofSeconds(1);

    private final Exchange exchange;
    private final PageSeal seal;
    private final RouteTable.Match match;
    private final List<String> segments;
    private final Faults faults = new Faults();
    private @Nullable Caller caller;
    private ScopeResolver.@Nullable ResolvedScope place;
    private @Nullable Query query;
    private @Nullable JsonBody body;
    private boolean isParked;
    private Runnable readmission = () -> {};

    Request(Exchange exchange, PageSeal seal, RouteTable.Match match, List<String> segments) {
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
     * Admits the request again, as its caller is now; for a handler that has waited. {@link #caller()} and
     * {@link #view()} are new then.
     *
     * @throws dev.inboxd.platform.error.Problem as when it came: the key was revoked or narrowed, the inbox was deleted
     */
    public void replay() {
        readmission.run();
    }

    /** Lets go of what was read and can be read again: thousands rest at the same time. */
    void isParked() {
        isParked = true;
        query = null;
        place = place == null ? null : new ScopeResolver.ResolvedScope(place.view(), null);
    }

    boolean asksForWebSocket() {
        return exchange.asksForWebSocket();
    }

    boolean isFromForeignPage() {
        return exchange.isFromForeignPage();
    }

    /** The name of this request in answers and logs. */
    public String id() {
        return exchange.id();
    }

    /** The route it took. */
    public Route route() {
        return match.route();
    }

    /** The credential behind it; never asked for on a public route. */
    public Caller caller() {
        if (caller == null) {
            throw new IllegalStateException("a public route has no caller");
        }
        return caller;
    }

    /** What the caller may see, narrowed to the pod or inbox of the path. */
    public View view() {
        if (place == null) {
            throw new IllegalStateException("a public route has no view");
        }
        return place.view();
    }

    /**
     * What the path names, as it was when the request was admitted: for what need not be as it is now. Null when what was
     * read then is nothing of that type.
     */
    public <T> @Nullable T resolved(Class<T> type) {
        return place != null && type.isInstance(place.resource()) ? type.cast(place.resource()) : null;
    }

    /** A path parameter, percent-decoded, otherwise unchecked. */
    public String path(String name) {
        String template = match.route().template();
        int position = 0;
        int parameter = 0;
        for (int i = 0; i < template.length(); i++) {
            if (template.charAt(i) == '/') {
                if (template.charAt(i + 1) == '{'
                        && match.parameters().get(parameter++).equals(name)) {
                    return segments.get(position);
                }
                position++;
            }
        }
        throw new IllegalArgumentException(template + " has no " + name);
    }

    /** A path parameter as its type; the parser may refuse it with a problem. */
    public <T> T path(String name, Function<String, T> parser) {
        return parser.apply(path(name));
    }

    /** The query. Its faults and the body's are told together. */
    public Query query() {
        Query read = query;
        if (read == null) {
            read = new Query(exchange.rawQuery(), faults);
            query = read;
        }
        return read;
    }

    /**
     * The body as a JSON object; an empty body is the empty object. It is received at the first call.
     *
     * @throws dev.inboxd.platform.error.Problem {@code validation_error} when it is not JSON, said to be something else, or
     *     compressed; {@code payload_too_large} when it is
     */
    public JsonBody body() {
        JsonBody read = body;
        if (read == null) {
            read = JsonBody.read(received(true), faults);
            body = read;
        }
        return read;
    }

    /**
     * The body as it came, of any media type, instead of {@link #body()}.
     *
     * @throws dev.inboxd.platform.error.Problem {@code payload_too_large}, or {@code validation_error} when it is compressed or cut
     */
    public byte[] octets() {
        return received(false);
    }

    /** The body; a request whose body takes long may have lost its key, or its inbox, meanwhile (promise P12). */
    private byte[] received(boolean json) {
        long begin = System.nanoTime();
        byte[] received = exchange.body(match.route().limit(), json);
        if (System.nanoTime() - begin > LONG_BODY.toNanos()) {
            replay();
        }
        return received;
    }

    /** A header, or null; the first one when repeated. The name in any case. */
    public @Nullable String header(String name) {
        return exchange.header(name);
    }

    /** The address of the caller, without a port: the peer's, or what a trusted proxy says. */
    public String remoteAddress() {
        return exchange.remoteAddress();
    }

    /** Whether the caller speaks TLS: with us, or with a trusted proxy by that one's word. */
    public boolean isSecure() {
        return exchange.isSecure();
    }

    /**
     * Registers work for when the answer is out: after its last byte was written, or could not be. It delays only the
     * next request of the same connection; what it throws is logged.
     *
     * @param work is told whether everything was written
     */
    public void onAnswered(Consumer<Boolean> work) {
        exchange.onAnswered(work);
    }

    /**
     * Makes room in memory for an answer of so many items, until it is written: many large ones wait for each other.
     *
     * @throws dev.inboxd.platform.error.Problem {@code service_unavailable} when that takes too long
     */
    public void reserve(int items) {
        exchange.reserve(items * ITEM);
    }

    /**
     * Makes room in memory for an answer as it grows, until it is written.
     *
     * @param octets of its text so far
     * @throws dev.inboxd.platform.error.Problem as {@link #reserve}
     */
    public void reserveText(long octets) {
        exchange.reserveText(Math.toIntExact(Math.min(octets * COPIES, Integer.MAX_VALUE)));
    }

    /**
     * The page a list request wants, from {@code limit}, {@code page_token} and {@code ascending}. Read the filters
     * from the query before: the token is bound to those read so far, beside route, path, view and direction.
     *
     * @throws dev.inboxd.platform.error.Problem {@code validation_error} with every fault of query and body
     */
    public PageRequest page(PageLimit limit) {
        return page(limit, query().flag("ascending", false));
    }

    /** The page of a list whose direction no parameter changes; see {@link #page(PageLimit)}. */
    public PageRequest page(PageLimit limit, boolean ascending) {
        int size = limit.read(query().single("limit"), faults);
        String token = query().single("page_token");
        faults.check();
        reserve(size);
        List<String> walk = walk(ascending);
        Cursor after = token == null || token.isEmpty() ? null : seal.open(walk, token);
        return new PageRequest(size, ascending, after, end -> seal.seal(walk, end));
    }

    private List<String> walk(boolean ascending) {
        List<String> walk = new ArrayList<>(segments);
        walk.add(match.route().method());
        walk.add(view().toString());
        walk.add(Boolean.toString(ascending));
        query().filters().forEach((name, value) -> {
            walk.add(name);
            walk.add(value);
        });
        return walk;
    }
}
