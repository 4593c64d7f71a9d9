package dev.inboxd.console.session;

import dev.inboxd.account.session.ConsoleSessions;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Handler;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.console.view.PageFrame;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Mounts pages, and turns what goes wrong into a page that says what to do. */
public final class ConsolePages {
    /** The text of a reply, encoded. */
    private static final BodyLimit FORM = new BodyLimit(1 << 20, false);

    private static final String CONSOLE = "/console";

    private final Visit.Services services;
    private final ConsoleSessions sessions;
    private final Routes root;

    public ConsolePages(Visit.Services services, ConsoleSessions sessions, Routes root) {
        this.services = services;
        this.sessions = sessions;
        this.root = root;
    }

    /** Answers a visit. */
    @FunctionalInterface
    public interface VisitHandler {
        Response handle(Visit visit);
    }

    /** Mounts a page below {@code /console}. */
    public ConsolePages page(String path, VisitHandler handler) {
        root.get(Gate.PUBLIC, CONSOLE + path, shown(visit(handler, true)));
        return this;
    }

    /**
     * Mounts what a form is sent to.
     *
     * @param needed the role that it takes, whatever the form says
     */
    public ConsolePages form(String path, Role needed, VisitHandler handler) {
        root.post(
                Gate.PUBLIC,
                CONSOLE + path,
                FORM,
                shown(visit(
                        visit -> {
                            visit.form(); // refuses foreign ones before anything is done
                            visit.caller().require(needed);
                            return handler.handle(visit);
                        },
                        false)));
        return this;
    }

    private Handler visit(VisitHandler handler, boolean renewing) {
        return request -> {
            String token = request.query().text("token");
            if (renewing && token != null && services.gate().isOpen()) {
                return admitted(request, token);
            }
            ConsoleGate.Visitor visitor = services.gate().visitor(request);
            Response answer = answer(handler, new Visit(request, visitor, services));
            return renewing && !request.isHead() && !services.gate().isOpen()
                    ? answer.header("Set-Cookie", services.gate().keep(sessions.renew(visitor.caller())))
                    : answer;
        };
    }

    /** Keeps the token of an open console as a cookie, and leads to its first page without it. */
    private Response admitted(Request request, String token) {
        return Response.ok()
                .status(303)
                .header("Location", services.pages().base() + CONSOLE)
                .header("Set-Cookie", services.gate().open().admit(request, token));
    }

    private static Response answer(VisitHandler handler, Visit visit) {
        try {
            return handler.handle(visit);
        } catch (Problem problem) {
            return visit.page(problem.code().status(), "fault", "/" + title(problem), fault(problem, visit.request()));
        }
    }

    /** Mounts nothing: renders problems of those without a session, and leads them to where they can begin. */
    Handler shown(Handler handler) {
        return request -> {
            try {
                return handler.handle(request);
            } catch (ConsoleGate.AbsentVisitorException absent) {
                return led(request, absent.page());
            } catch (Problem problem) {
                return outside(problem.code().status(), "fault", title(problem), fault(problem, request));
            }
        };
    }

    /** Leads to the page that helps, and from there back to the page that was wanted. */
    private Response led(Request request, String page) {
        String base = services.pages().base();
        boolean isRead = request.route().method().equals("GET");
        String rawQuery = request.rawQuery();
        String query = rawQuery == null || !isRead ? "" : "?" + rawQuery;
        String site = request.header("Sec-Fetch-Site");
        if (isRead && ("cross-site".equals(site) || "same-site".equals(site))) {
            // The cookie of the session is not sent when a foreign page leads here (RFC 6265bis: SameSite=Strict).
            return outside(200, "onward", "One moment", Map.of("target", base + CONSOLE + path(request) + query));
        }
        String then = path(request) + query;
        return Response.ok()
                .status(303)
                .header(
                        "Location",
                        base + CONSOLE + "/" + page + (then.isEmpty() ? "" : "?then=" + LocalCall.encoded(then)));
    }

    /** The path of a page below {@code /console}, each segment of which is encoded whole. */
    static String path(Request request) {
        return Arrays.stream(
                        request.route().template().substring(CONSOLE.length()).split("/", -1))
                .map(segment -> segment.startsWith("{")
                        ? LocalCall.encoded(request.path(segment.substring(1, segment.length() - 1)))
                        : segment)
                .collect(Collectors.joining("/"));
    }

    /** A page for somebody who has not signed in. */
    Response outside(int status, String template, String title, Map<String, Object> values) {
        Map<String, Object> all = new java.util.HashMap<>(values);
        all.put(
                "f",
                new PageFrame(
                        services.pages().base(),
                        title,
                        "",
                        new PageFrame.Who("", "", Role.READ, false, false, false),
                        services.gate().tokens().ofNobody(),
                        PageFrame.Note.NONE,
                        "",
                        services.now(),
                        List.of()));
        return services.render(status, template, all);
    }

    static String title(Problem problem) {
        return switch (problem.code()) {
            case NOT_FOUND -> "Not found";
            case MISSING_PERMISSION, FORBIDDEN -> "Not allowed";
            case VALIDATION_ERROR -> "Invalid input";
            case UNAUTHORIZED -> "Open the console with its link";
            case SERVICE_UNAVAILABLE -> "The server is busy";
            default -> "Something went wrong";
        };
    }

    private static Map<String, Object> fault(Problem problem, Request request) {
        String fix = problem.fix();
        String faults = problem.faults().stream()
                .map(fault -> fault.message() + ". ")
                .reduce("", String::concat)
                .strip();
        return Map.of(
                "message",
                problem.message() + ".",
                "detail",
                faults,
                "fix",
                fix == null ? "" : fix,
                "request",
                request.id());
    }
}
