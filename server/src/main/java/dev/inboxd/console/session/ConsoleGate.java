package dev.inboxd.console.session;

import dev.inboxd.account.session.ConsoleSessions;
import dev.inboxd.account.session.ConsoleSessions.SessionCookie;
import dev.inboxd.app.connect.Cookies;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.web.oauth.Origins;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who may see the console, and change something by it. */
public final class ConsoleGate {
    private static final String CHOSEN = "inboxd-organization";
    /** A page of them; there may be as many as agents that signed up. */
    static final int MOST_CHOICES = 100;

    private static final Duration A_DAY = Duration.ofDays(1);
    private static final Duration A_MONTH = Duration.ofDays(30);

    private final ConsoleConfig config;
    private final Organizations organizations;
    private final ConsoleSessions sessions;
    private final FormTokens tokens;
    private final Cookies cookies;
    private final OpenConsole open;

    public ConsoleGate(ConsoleConfig config, Organizations organizations, ConsoleSessions sessions, FormTokens tokens) {
        this.config = config;
        this.organizations = organizations;
        this.sessions = sessions;
        this.tokens = tokens;
        this.cookies = new Cookies(config.publicUrl());
        this.open = new OpenConsole(config);
    }

    /** Somebody who may see pages of an organization. */
    record Visitor(Caller caller, String name, boolean several) {}

    /** Signed out, or no organization chosen yet: the visitor is led to the page that changes it. */
    public static final class AbsentVisitorException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String page;

        AbsentVisitorException(String page) {
            super(page, null, false, false);
            this.page = page;
        }

        /** The page below {@code /console} that helps. */
        String page() {
            return page;
        }
    }

    boolean isOpen() {
        return config.access() == ConsoleAccess.OPEN;
    }

    /**
     * The visitor of a page.
     *
     * @throws AbsentVisitorException when there is none yet
     * @throws Problem at an open console: {@code forbidden} for a request from elsewhere, {@code unauthorized} without
     *     its token
     */
    Visitor visitor(Request request) {
        return isOpen() ? operator(request) : signedIn(request);
    }

    /** Who may use it where it is open. */
    OpenConsole open() {
        return open;
    }

    private Visitor signedIn(Request request) {
        String token = Cookies.read(request, sessionCookie().name());
        if (token == null || token.isEmpty()) {
            throw new AbsentVisitorException("enter");
        }
        try {
            Caller caller = sessions.caller(token);
            return new Visitor(caller, "signed in", false);
        } catch (Problem ended) {
            if (ended.code().status() == 401) {
                throw new AbsentVisitorException("enter");
            }
            throw ended;
        }
    }

    /**
     * The visitor's caller as it is whenever it is asked for, long after the request has ended.
     *
     * @throws Problem when asked: {@code unauthorized} after the session has ended
     */
    public Supplier<Caller> lasting(Request request) {
        Caller now = visitor(request).caller();
        String token = Cookies.read(request, sessionCookie().name());
        return isOpen() || token == null ? () -> now : () -> sessions.caller(token);
    }

    private Visitor operator(Request request) {
        open.requireOperator(request);
        List<Organization> newest = organizations.newest(2);
        boolean several = newest.size() > 1;
        UUID organization = (several
                        ? organization(Cookies.read(request, CHOSEN))
                        : newest.stream().findFirst())
                .orElseThrow(() -> new AbsentVisitorException("organizations"))
                .id();
        return new Visitor(operator(organization), "operator", several);
    }

    /**
     * The person of a session, or the operator, as they are now.
     *
     * @param session null for the operator at an open console
     * @throws Problem {@code unauthorized} when the session has ended, or the console is not open
     */
    public Caller person(UUID organization, @Nullable UUID session) {
        if (session != null) {
            return sessions.caller(organization, session);
        }
        if (!isOpen()) {
            throw Problem.of(ErrorCode.UNAUTHORIZED, "The console is no longer open");
        }
        return operator(organization);
    }

    /** Whoever is at an open console is the human behind every organization of this machine. */
    private static Caller operator(UUID organization) {
        Set<Permission> held = ApiKey.effective(EnumSet.allOf(Permission.class), Scope.ORGANIZATION, false);
        View view = new View(organization, null, null, RestrictedLabel.hiddenFrom(held), null);
        return new Caller(
                new Caller.Credential.Operator(), Scope.ORGANIZATION, view, null, held, true, false, false, false);
    }

    /** The newest organizations, which the page of an open console offers; any other is chosen by its id. */
    List<Organization> choices() {
        return organizations.newest(MOST_CHOICES);
    }

    /**
     * An organization that can be chosen at an open console.
     *
     * @param id what a browser sent
     */
    Optional<Organization> organization(@Nullable String id) {
        UUID parsed = id == null ? null : Uuid7.parse(id);
        return parsed == null
                ? Optional.empty()
                : organizations.find(parsed).filter(organization -> organization.type() != Organization.Type.OPERATOR);
    }

    /**
     * Refuses a change that does not come from a page of ours.
     *
     * @param form with the token that the page got
     * @throws Problem {@code forbidden}
     */
    void requireOwn(Request request, Caller caller, PageForm form) {
        requireOwnOrigin(request);
        if (!tokens.isOf(caller, form.text("token"))) {
            throw stale();
        }
    }

    /** The same before anybody has signed in. */
    void requireOwn(Request request, PageForm form) {
        requireOwnOrigin(request);
        if (!tokens.isOfNobody(form.text("token"))) {
            throw stale();
        }
    }

    private static Problem stale() {
        return Problem.of(
                ErrorCode.FORBIDDEN,
                "This form is too old, or does not come from this console",
                "Reload the page and try again.");
    }

    /**
     * Refuses what a page of another origin asks for; also the opening of a WebSocket.
     *
     * @throws Problem {@code forbidden}
     */
    public void requireOwnOrigin(Request request) {
        String origin = request.header("Origin");
        String site = request.header("Sec-Fetch-Site");
        boolean own = origin == null
                ? site == null || site.equals("same-origin")
                : origin.equals(Origins.of(config.publicUrl())) || origin.equals(openedOrigin(request));
        if (!own) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "Another site cannot use the console",
                    "Open the console and try again there.");
        }
    }

    /** In development, the address by which this very request came: the port has no foreign host (PageRule). */
    private @Nullable String openedOrigin(Request request) {
        return isOpen() ? (request.isSecure() ? "https://" : "http://") + request.header("Host") : null;
    }

    /** The cookie of a session; over HTTPS alone, where the service is behind it. */
    Cookies.Cookie sessionCookie() {
        String base = config.publicUrl().getPath();
        boolean atRoot = base == null || base.isEmpty() || base.equals("/");
        if (!"https".equals(config.publicUrl().getScheme())) {
            return new Cookies.Cookie(
                    "inboxd-console", "/console", "Strict", A_DAY); // RFC 6265bis: no prefix without TLS
        }
        return atRoot
                ? new Cookies.Cookie("__Host-inboxd-console", "/", "Strict", A_DAY)
                : new Cookies.Cookie("__Secure-inboxd-console", "/console", "Strict", A_DAY);
    }

    /** A header that keeps the session in the browser. */
    String keep(SessionCookie session) {
        Cookies.Cookie cookie = sessionCookie();
        return cookies.set(session.isDeviceTrusted() ? cookie.lasting(A_MONTH) : cookie, session.token());
    }

    /** A header that forgets it. */
    String forget() {
        return cookies.set(sessionCookie().over(), "");
    }

    /** A header that keeps the choice of an organization. */
    String choose(String organization) {
        return cookies.set(new Cookies.Cookie(CHOSEN, "/console", "Strict", A_DAY), organization);
    }

    FormTokens tokens() {
        return tokens;
    }
}
