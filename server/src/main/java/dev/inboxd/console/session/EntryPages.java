package dev.inboxd.console.session;

import dev.inboxd.account.passkey.Passkeys;
import dev.inboxd.account.session.ConsoleSessions;
import dev.inboxd.account.session.ConsoleSessions.SessionCookie;
import dev.inboxd.account.session.SessionOrigin;
import dev.inboxd.app.connect.Cookies;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.observe.audit.AuditSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Signing in with a code by mail, leaving, and the choice of an organization at an open console. */
public final class EntryPages {
    private static final BodyLimit SMALL = new BodyLimit(32 * 1024, false);
    private static final String FAULT = "fault";
    private static final String ADDRESS = "address";
    private static final String THEN = "then";
    private static final int LONGEST_PAGE = 8_000;
    /** Segments of no page, of which two lead up (WHATWG URL §4.4). */
    private static final Set<String> OUTSIDE = Set.of("", ".", "..");

    private static final String DEVICE = "device";

    private final ConsolePages pages;
    private final ConsoleGate gate;
    private final ConsoleSessions sessions;
    private final Passkeys passkeys;
    private final String home;

    /** What opens sessions: a code by mail, or a passkey. */
    public record Keys(ConsoleSessions sessions, Passkeys passkeys) {}

    public EntryPages(ConsolePages pages, ConsoleGate gate, Keys keys, String base) {
        this.pages = pages;
        this.gate = gate;
        this.sessions = keys.sessions;
        this.passkeys = keys.passkeys;
        this.home = base + "/console";
    }

    public void mount(Routes root) {
        root.get(Gate.PUBLIC, "/console/organizations", pages.shown(this::organizations));
        root.post(Gate.PUBLIC, "/console/organizations", SMALL, pages.shown(this::choose));
        root.get(
                Gate.PUBLIC,
                "/console/enter",
                pages.shown(request -> enter(
                        200,
                        "",
                        reason(request.query().text("done")),
                        then(request.query().text(THEN)))));
        root.post(Gate.PUBLIC, "/console/enter", SMALL, pages.shown(this::sendCode));
        root.post(Gate.PUBLIC, "/console/enter/code", SMALL, pages.shown(this::open));
        root.post(Gate.PUBLIC, "/console/enter/passkey", SMALL, pages.shown(this::openByPasskey));
        root.post(Gate.PUBLIC, "/console/leave", SMALL, pages.shown(this::leave));
    }

    /**
     * The page behind the sign-in, as a path below {@code /console} with its query; empty for the first page, or for
     * what no browser sends.
     */
    private static String then(@Nullable String path) {
        return path != null
                        && path.length() <= LONGEST_PAGE
                        && path.startsWith("/")
                        && path.chars().allMatch(c -> c > ' ' && c < 0x7F && "\"#<>\\^`{|}".indexOf(c) < 0)
                        && isBelow(path.substring(1).split("\\?", 2)[0])
                ? path
                : "";
    }

    /** Whether no segment of a path leads out of the console, as a browser reads it. */
    private static boolean isBelow(String path) {
        return Arrays.stream(path.split("/", -1))
                .map(segment -> segment.toLowerCase(Locale.ROOT).replace("%2e", "."))
                .noneMatch(OUTSIDE::contains);
    }

    /** Where somebody goes who may enter now: only to a page of the console, whatever was given. */
    private Response onward(String then) {
        return Response.ok().status(303).header("Location", home + then(then));
    }

    private Response organizations(Request request) {
        if (!gate.isOpen()) {
            return Response.ok().status(303).header("Location", home);
        }
        gate.open().requireOperator(request);
        List<List<String>> choices = gate.choices().stream()
                .map(organization -> List.of(
                        organization.id().toString(),
                        organization.humanEmail() == null ? "" : organization.humanEmail(),
                        organization.createdAt().toString()))
                .toList();
        return pages.outside(
                200,
                "organizations",
                "Choose an organization",
                Map.of(
                        "choices",
                        choices,
                        "more",
                        choices.size() == ConsoleGate.MOST_CHOICES,
                        THEN,
                        then(request.query().text(THEN))));
    }

    private Response choose(Request request) {
        gate.open().requireOperator(request);
        PageForm form = own(request);
        String chosen = form.text("organization");
        if (gate.organization(chosen).isEmpty()) {
            throw Problem.invalid("organization", "There is no such organization");
        }
        return onward(form.text(THEN)).header("Set-Cookie", gate.choose(chosen));
    }

    private PageForm own(Request request) {
        PageForm form = new PageForm(request.octets());
        gate.requireOwn(request, form);
        return form;
    }

    /** Why somebody is out, in words of ours. */
    private static String reason(@Nullable String done) {
        return switch (done == null ? "" : done) {
            case "left" -> "You have left the organization and are signed out.";
            case "out" -> "You are signed out everywhere.";
            case "lowered" -> "Your role has changed. Sign in again.";
            default -> "";
        };
    }

    private Response enter(int status, String address, String fault, String then) {
        return gate.isOpen()
                ? Response.ok().status(303).header("Location", home)
                : pages.outside(
                        status,
                        "enter",
                        "Sign in",
                        Map.of(
                                ADDRESS,
                                address,
                                FAULT,
                                fault,
                                THEN,
                                then,
                                "passkey",
                                passkeys.isPossible() ? passkeys.requestOptions() : ""));
    }

    private Response sendCode(Request request) {
        PageForm form = own(request);
        String address = form.text(ADDRESS);
        try {
            sessions.sendCode(address, request.remoteAddress());
        } catch (Problem refused) {
            return enter(refused.code().status(), address, words(refused), then(form.text(THEN)));
        }
        return pages.outside(200, "code", "Enter the code", code(form, ""));
    }

    private Response open(Request request) {
        PageForm form = own(request);
        String address = form.text(ADDRESS);
        try {
            SessionCookie session = sessions.open(
                    new ConsoleSessions.Entry(
                            address, form.text("code"), form.text(DEVICE).equals("yes"), request.header("User-Agent")),
                    AuditSource.of(request));
            return onward(form.text(THEN)).header("Set-Cookie", gate.keep(session));
        } catch (Problem refused) {
            return pages.outside(refused.code().status(), "code", "Enter the code", code(form, words(refused)));
        }
    }

    private Response openByPasskey(Request request) {
        PageForm form = own(request);
        AuditSource source = AuditSource.of(request);
        try {
            SessionCookie session = passkeys.open(
                    form.text("answer"), SessionOrigin.of(request.header("User-Agent"), source.address()), source);
            return onward(form.text(THEN)).header("Set-Cookie", gate.keep(session));
        } catch (Problem refused) {
            return enter(refused.code().status(), "", words(refused), then(form.text(THEN)));
        }
    }

    private static Map<String, Object> code(PageForm form, String fault) {
        return Map.of(ADDRESS, form.text(ADDRESS), FAULT, fault, THEN, then(form.text(THEN)));
    }

    private static String words(Problem problem) {
        return problem.faults().isEmpty()
                ? problem.message() + "."
                : problem.faults().getFirst().message() + ".";
    }

    private Response leave(Request request) {
        String token = Cookies.read(request, gate.sessionCookie().name());
        if (!gate.isOpen() && token != null) {
            try {
                var caller = sessions.caller(token);
                gate.requireOwn(request, caller, new PageForm(request.octets()));
                sessions.close(caller, AuditSource.of(request));
            } catch (Problem ended) {
                if (ended.code() == ErrorCode.FORBIDDEN) {
                    throw ended;
                }
            }
        }
        return Response.ok().status(303).header("Location", home).header("Set-Cookie", gate.forget());
    }
}
