package dev.inboxd.base.http;

import dev.inboxd.base.error.Problem;
import java.util.ArrayList;
import java.util.List;

/** Says what is wrong with a path or method that no route has. */
final class UnknownRoute {
    private static final String VERSION = "v0";
    /** A path with more parts is nobody's slip of the pen. */
    private static final int MOST = 20;

    private static final String GENERAL =
            "Check the method and the path against the documentation. Paths of the API begin with /v0.";

    private final RouteTable routes;

    UnknownRoute(RouteTable routes) {
        this.routes = routes;
    }

    /** The answer to a request for it. */
    Response answer(Exchange exchange, ErrorRenderer errors) {
        String raw = exchange.rawPath();
        Problem problem = PathSegments.unknownRoute(fix(exchange.method(), raw));
        Response answer = errors.render(problem, exchange.id());
        List<String> segments = PathSegments.of(raw);
        List<String> methods = routes.methods(segments);
        RouteTable.Match posted = routes.find("POST", segments);
        if (posted != null && posted.route().handler() instanceof RpcRoute) {
            answer = answer.status(405); // by which a client of MCP knows that there is no stream to get
        }
        // RFC 9110 §10.2.1: Allow may come with any answer.
        return methods.isEmpty() ? answer : answer.header("Allow", String.join(", ", methods));
    }

    /** What to do instead. */
    String fix(String method, String raw) {
        List<String> methods = routes.methods(PathSegments.of(raw));
        if (!methods.isEmpty()) {
            return "This path has " + String.join(", ", methods) + ", not " + method + ".";
        }
        String path = raw;
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        List<String> segments = PathSegments.of(path);
        if (segments.isEmpty()) {
            return path.contains("//") ? "The path has an empty part; an id may be missing there." : GENERAL;
        }
        if (!routes.methods(segments).isEmpty()) {
            return "The slash at the end of the path is too much.";
        }
        if (!segments.getFirst().equals(VERSION) && isKnownBelowVersion(segments)) {
            return "Paths begin with /v0.";
        }
        String nearest = segments.size() > MOST ? null : routes.nearest(segments);
        return nearest == null ? GENERAL : "Did you mean " + nearest + "?";
    }

    /** Whether the path lacks the version, or has another one or a prefix before it. */
    private boolean isKnownBelowVersion(List<String> segments) {
        for (int from = 0; from <= Math.min(2, segments.size() - 1); from++) {
            List<String> versioned = new ArrayList<>(segments.subList(from, segments.size()));
            if (!versioned.getFirst().equals(VERSION)) {
                versioned.addFirst(VERSION);
            }
            if (!routes.methods(versioned).isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
