package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.error.Suggestion;
import dev.inboxd.base.http.proxy.HostRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All routes, as a tree of path segments in which a literal segment wins over a parameter. It is filled before the
 * server starts and only read afterwards.
 */
public final class RouteTable {
    /** What a 401 says without more: the scheme to use (RFC 9110 §11.6.1). */
    static final String CHALLENGE = "Bearer realm=\"inboxd\"";

    private final Node root = new Node();
    private final Map<String, String> challenges = new HashMap<>();
    private final List<Route> routes = new ArrayList<>();
    private final List<HostTable> others = new ArrayList<>();
    private @Nullable PaymentGate gate;
    private BiPredicate<Route, Supplier<byte[]>> priced = (_, _) -> false;
    private String counter = "";

    /** An empty table. */
    public RouteTable() {}

    /** Mount point for the routes of a level. */
    public Routes at(Level level) {
        return new Routes(this, level);
    }

    /**
     * Gives some names of this server a table of their own: nothing else is found there.
     *
     * @param hosts the names, in lower case and without a port or the dot of the root
     */
    public void serveAt(Predicate<String> hosts, RouteTable table) {
        others.add(new HostTable(hosts, table));
    }

    /** The names that have a table of their own. */
    private record HostTable(Predicate<String> hosts, RouteTable table) {}

    /** The table of the host of a request; null for a request without one. */
    RouteTable of(@Nullable String host) {
        String name = host == null ? "" : HostRule.plain(host);
        for (HostTable hostTable : others) {
            if (host != null && hostTable.hosts.test(name)) {
                return hostTable.table;
            }
        }
        return this;
    }

    /**
     * A table of some of these routes, which callers pay for instead of showing a key.
     *
     * @param filter those that are there
     * @param paid answers their requests, but for those of public routes
     */
    public RouteTable paid(Predicate<Route> filter, PaymentGate paid) {
        RouteTable table = new RouteTable();
        table.gate = paid;
        routes.stream().filter(filter).forEach(route -> {
            table.add(route);
            if (route.method().equals("GET") && find("HEAD", PathSegments.of(route.template())) != null) {
                table.addHead(route.template());
            }
        });
        return table;
    }

    /**
     * Closes routes that cost something to the keys of organizations that pay for each call (payments.md §5).
     *
     * @param costly whether a call of a route with such a body costs something
     * @param where to make such a call, for the refusal
     */
    public void sell(BiPredicate<Route, Supplier<byte[]>> costly, String where) {
        priced = costly;
        counter = where;
    }

    /** Refuses a call that its caller would have to pay for and cannot. */
    void requirePaid(Caller caller, Request request) {
        Route route = request.route();
        if (caller.mustPay() && priced.test(route, () -> request.source().ahead(route.limit()))) {
            throw unpaid(counter);
        }
    }

    /** What a caller is told whose organization pays for such a call. */
    public static Problem unpaid(String where) {
        return Problem.of(ErrorCode.FORBIDDEN, "This call costs something, and a key cannot pay", where);
    }

    /** What answers requests for routes that are not public; null where callers show a key. */
    @Nullable
    PaymentGate gate() {
        return gate;
    }

    /** Every route in the order of mounting, for tests and documentation. */
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /**
     * Lets a 401 of a path say more.
     *
     * @param template the path of the route
     * @param parameters of the challenge (RFC 9110 §11.2), such as {@code resource_metadata="…"}
     */
    public void challenge(String template, String parameters) {
        challenges.put(template, CHALLENGE + ", " + parameters);
    }

    /** What a 401 of a route says; of no route, that keys are taken. Null where callers pay: no key would do. */
    @Nullable
    String challenge(@Nullable Route route) {
        if (gate != null) {
            return null;
        }
        return route == null ? CHALLENGE : challenges.getOrDefault(route.template(), CHALLENGE);
    }

    void add(Route route) {
        Node node = node(route.template());
        if (node.methods.putIfAbsent(route.method(), new Match(route, route.parameters())) != null) {
            throw new IllegalStateException("mounted twice: " + route.method() + " " + route.template());
        }
        routes.add(route);
    }

    /** Lets HEAD be answered by the GET route of this template. */
    void addHead(String template) {
        Map<String, Match> methods = node(template).methods;
        methods.put("HEAD", Objects.requireNonNull(methods.get("GET")));
    }

    private Node node(String template) {
        Node node = root;
        for (String segment : PathSegments.of(template)) {
            node = node.child(segment);
        }
        return node;
    }

    /**
     * The route of a request, or null.
     *
     * @param segments the path, split and decoded
     */
    @Nullable
    Match find(String method, List<String> segments) {
        Node node = node(segments);
        return node == null ? null : node.methods.get(method);
    }

    /** The methods of a path, sorted; empty when there is no such path. */
    List<String> methods(List<String> segments) {
        Node node = node(segments);
        return node == null
                ? List.of()
                : node.methods.keySet().stream().sorted().toList();
    }

    private @Nullable Node node(List<String> segments) {
        Node node = root;
        for (int i = 0; node != null && i < segments.size(); i++) {
            Node literal = node.literals.get(segments.get(i));
            node = literal == null ? node.parameter : literal;
        }
        return node;
    }

    /** The path whose fixed words are nearest to those of this one, its ids in braces; null when none is. */
    @Nullable
    String nearest(List<String> segments) {
        StringBuilder path = new StringBuilder();
        Node node = root;
        for (String segment : segments) {
            String word = node.literals.containsKey(segment)
                    ? segment
                    : node.parameter == null ? Suggestion.nearest(segment, node.literals.keySet()) : null;
            Node next = word == null ? node.parameter : node.literals.get(word);
            if (next == null) {
                return null;
            }
            path.append('/').append(word == null ? "{id}" : word);
            node = next;
        }
        return node.methods.isEmpty() ? null : path.toString();
    }

    /**
     * A matched route and the names of its parameters, computed once.
     *
     * @param route the route
     * @param parameters the names, in order
     */
    record Match(Route route, List<String> parameters) {
        /** The value of a parameter among the segments of a path. */
        String value(List<String> segments, String name) {
            String template = route.template();
            int position = 0;
            int parameter = 0;
            for (int i = 0; i < template.length(); i++) {
                if (template.charAt(i) == '/') {
                    if (template.charAt(i + 1) == '{'
                            && parameters.get(parameter++).equals(name)) {
                        return segments.get(position);
                    }
                    position++;
                }
            }
            throw new IllegalArgumentException(template + " has no " + name);
        }
    }

    private static final class Node {
        final Map<String, Node> literals = new HashMap<>();
        final Map<String, Match> methods = new HashMap<>();

        @Nullable
        Node parameter;

        Node child(String segment) {
            if (!Route.isParameter(segment)) {
                return literals.computeIfAbsent(segment, name -> new Node());
            }
            Node below = parameter;
            if (below == null) {
                below = new Node();
                parameter = below;
            }
            return below;
        }
    }
}
