package dev.inboxd.platform.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All routes, as a tree of path segments in which a literal segment wins over a parameter. It is filled before the
 * server starts and only read afterwards.
 */
public final class RouteTable {
    private final Node root = new Node();
    private final List<Route> routes = new ArrayList<>();

    /** An empty table. */
    public RouteTable() {}

    /** Mount point for the routes of a level. */
    public Routes at(Level level) {
        return new Routes(this, level);
    }

    /** Every route in the order of mounting, for tests and documentation. */
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    void add(Route route) {
        Node node = root;
        for (String segment : PathSegments.of(route.template())) {
            node = node.child(segment);
        }
        if (node.methods.putIfAbsent(route.method(), new Match(route, route.parameters())) != null) {
            throw new IllegalStateException("mounted twice: " + route.method() + " " + route.template());
        }
        routes.add(route);
    }

    /**
     * The route of a request, or null.
     *
     * @param segments the path, split and decoded
     */
    @Nullable
    Match find(String method, List<String> segments) {
        Node node = root;
        for (int i = 0; i < segments.size(); i++) {
            Node next = node.literals.get(segments.get(i));
            if (next == null) {
                next = node.parameter;
            }
            if (next == null) {
                return null;
            }
            node = next;
        }
        return node.methods.get(method);
    }

    /**
     * A matched route and the names of its parameters, computed once.
     *
     * @param route the route
     * @param parameters the names, in order
     */
    record Match(Route route, List<String> parameters) {}

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
