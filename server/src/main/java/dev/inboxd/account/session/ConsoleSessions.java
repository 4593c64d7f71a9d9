package dev.inboxd.account.session;

import dev.inboxd.account.signup.CodeRequest;
import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.account.signup.OneTimeCode;
import dev.inboxd.account.signup.SignUpLimits;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.observe.audit.AuditSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Signing in by a page instead of a program: the same codes, limits and sessions as {@code POST /console/session}. */
public final class ConsoleSessions {
    private final Sessions sessions;
    private final HumanAddresses humans;
    private final SignUpLimits limits;

    /**
     * Sign-ins to these sessions.
     *
     * @param humans reads addresses
     * @param limits rate limits of calls
     */
    public ConsoleSessions(Sessions sessions, HumanAddresses humans, SignUpLimits limits) {
        this.sessions = sessions;
        this.humans = humans;
        this.limits = limits;
    }

    /**
     * What a browser keeps of a session.
     *
     * @param token opens the session until it expires
     * @param humanEmail who signed in
     * @param isDeviceTrusted whether the browser keeps it for 30 days
     */
    public record SessionCookie(String token, Instant expiresAt, String humanEmail, boolean isDeviceTrusted) {
        @Override
        public String toString() {
            return "SessionCookie[***]";
        }
    }

    /**
     * Sends a code, if there is such a human; nobody learns whether.
     *
     * @param address as it was typed
     * @param remote the caller's address
     * @throws dev.inboxd.base.error.Problem {@code validation_error}, {@code rate_limit_exceeded}
     */
    public void sendCode(String address, String remote) {
        limits.signingIn(remote);
        sessions.sendCode(new CodeRequest(humans.required(body(Map.of("human_email", address))), remote));
    }

    /**
     * What somebody enters to sign in.
     *
     * @param isDeviceTrusted whether the session lasts 30 days
     * @param userAgent the header of that name
     */
    public record Entry(
            String address,
            String code,
            boolean isDeviceTrusted,
            @Nullable String userAgent) {}

    /**
     * Opens a session with a code.
     *
     * @param source the page's request, which the audit log names
     * @throws dev.inboxd.base.error.Problem {@code validation_error}, the same for whatever is wrong with the two;
     *     {@code rate_limit_exceeded}
     */
    public SessionCookie open(Entry entry, AuditSource source) {
        count(source);
        JsonBody body = body(Map.of("human_email", entry.address, "code", entry.code));
        SessionOrigin origin = SessionOrigin.of(entry.userAgent, source.address());
        String human = humans.required(body);
        return cookie(sessions.open(
                new SignIn(human, OneTimeCode.read(body, "code"), entry.isDeviceTrusted, origin), source));
    }

    /**
     * Counts a sign-in, whatever comes of it.
     *
     * @throws dev.inboxd.base.error.Problem {@code rate_limit_exceeded}
     */
    public void count(AuditSource source) {
        limits.signingIn(String.valueOf(source.address()));
    }

    /**
     * Opens a session for somebody who has proven to be a person of an organization; the caller has counted it.
     *
     * @param proof who it is, decided in the transaction under the organization's clock; empty refuses
     */
    public Optional<SessionCookie> open(
            UUID organization, SessionProof proof, SessionOrigin origin, AuditSource source) {
        return sessions.open(organization, new Sessions.Entry(proof, false, origin), source)
                .map(ConsoleSessions::cookie);
    }

    /** The address of the person of a session; null for a caller without one. */
    public @Nullable String person(Caller caller) {
        return caller.credential() instanceof Caller.Credential.Session
                ? sessions.get(caller).humanEmail()
                : null;
    }

    /** Ends all sessions of the caller's human, the present one included. */
    public void closeAll(Caller caller, AuditSource source) {
        sessions.closeAll(caller, source);
    }

    /** The caller of a token; {@code unauthorized} when it has ended. */
    public Caller caller(String token) {
        return sessions.authenticate(token);
    }

    /**
     * The caller of a session, by its id, for what a person began and a program ends.
     *
     * @throws dev.inboxd.base.error.Problem {@code unauthorized} when it has ended
     */
    public Caller caller(UUID organization, UUID session) {
        return sessions.caller(organization, session);
    }

    /** A fresh token of the caller's session, whose end stays the same. */
    public SessionCookie renew(Caller caller) {
        return cookie(sessions.renew(caller));
    }

    /** Ends the caller's session. */
    public void close(Caller caller, AuditSource source) {
        sessions.close(caller, source);
    }

    private static SessionCookie cookie(Sessions.NewSession session) {
        return new SessionCookie(
                session.token().text(),
                session.token().expiresAt(),
                session.session().humanEmail(),
                session.session().isDeviceTrusted());
    }

    private static JsonBody body(Map<String, String> members) {
        return JsonBody.of(members, List.of(), new dev.inboxd.base.error.Faults());
    }
}
