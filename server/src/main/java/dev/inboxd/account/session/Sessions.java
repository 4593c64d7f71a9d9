package dev.inboxd.account.session;

import dev.inboxd.account.signup.CodeRequest;
import dev.inboxd.account.signup.OneTimeCode;
import dev.inboxd.account.signup.SignUpLimits;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.apikey.Revocations;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.PersonSql;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations on sessions, and the authentication by session tokens. */
public final class Sessions {
    /** How long the refusal of a code takes at least, whether somebody is behind the address or not (ruling 170). */
    private static final Duration REFUSAL = Duration.ofMillis(200);

    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

    private final Database database;
    private final SystemMail mail;
    private final Vault vault;
    private final SignUpLimits limits;
    private final InstantSource clock;
    private final SessionTokens tokens;
    private final CodeRequests requests = new CodeRequests(this::send);

    /**
     * The sessions of a database.
     *
     * @param limits rate limits of mail to humans
     * @param issuer the public URL of the service, for which alone tokens are valid
     */
    public Sessions(Database database, SystemMail mail, Vault vault, SignUpLimits limits, Issuer issuer) {
        this.database = database;
        this.mail = mail;
        this.vault = vault;
        this.limits = limits;
        this.clock = issuer.clock;
        this.tokens = new SessionTokens(new SessionKeys(database, vault), issuer.url, issuer.clock);
    }

    /** The issuer of tokens, and its clock. */
    public record Issuer(URI url, InstantSource clock) {}

    /** A session with a new token. */
    record NewSession(Session session, SessionTokens.Token token) {}

    /** Sends the codes that were asked for, and takes no more requests for codes. */
    public void close() {
        requests.close();
    }

    /**
     * Has a code sent to a human behind an organization, soon; until then the previous one is valid. Nothing is sent
     * to other addresses, or above the rate limit, and the caller does not learn which it was, by the time neither.
     *
     * @throws Problem {@code service_unavailable} while too many wait
     */
    void sendCode(CodeRequest request) {
        requests.add(request);
    }

    private void send(CodeRequest request) {
        String human = request.human();
        Optional<UUID> organization = database.read(tx -> OrganizationHumans.entryOf(tx, human));
        // Composed for every address, because the time for signing would reveal whether a mail is sent.
        UUID subject = organization.orElseGet(Uuid7::next);
        boolean allowed = limits.maySignIn(human, organization.isPresent());
        OneTimeCode code = OneTimeCode.make(vault, OneTimeCode.Purpose.SIGN_IN, subject);
        SystemMail.SignedMail signIn = mail.seal(SignInMail.code(request, code));
        organization
                .filter(_ -> allowed)
                .ifPresent(organizationId -> database.run(organizationId, tx -> {
                    Instant end = tx.next().at().plus(OneTimeCode.Purpose.SIGN_IN.valid());
                    SessionSql.putCode(tx, organizationId, human, new OneTimeCode.StoredCode(code.mac(), end, 0));
                    mail.queue(tx, organizationId, signIn);
                }));
    }

    /**
     * Opens a session. Attempts are counted under the organization's clock row, so that parallel calls get no eleventh
     * attempt. A wrong attempt is committed before it is refused.
     *
     * @throws Problem {@code validation_error}, the same for a wrong code, a used up one, and an unknown address
     */
    NewSession open(SignIn signIn, AuditSource source) {
        String human = signIn.human();
        long end = System.nanoTime() + REFUSAL.toNanos();
        Optional<OpenSession> session = database.read(tx -> OrganizationHumans.entryOf(tx, human))
                .flatMap(organization -> {
                    byte[] mac = OneTimeCode.mac(vault, OneTimeCode.Purpose.SIGN_IN, organization, signIn.digits());
                    return enter(
                            organization,
                            new Entry(
                                    tx -> CodeAttempt.person(tx, organization, signIn, mac),
                                    signIn.isDeviceTrusted(),
                                    signIn.origin()),
                            source);
                });
        return opened(session.orElseThrow(() -> {
            CodeRequests.await(end); // counting an attempt takes a commit, which a stranger has not
            return refused();
        }));
    }

    /** How somebody signs in, and where. */
    record Entry(SessionProof proof, boolean isDeviceTrusted, SessionOrigin origin) {}

    /** Opens a session for who has proven to be a person of the organization; empty for anybody else. */
    Optional<NewSession> open(UUID organization, Entry entry, AuditSource source) {
        return enter(organization, entry, source).map(this::opened);
    }

    private Optional<OpenSession> enter(UUID organization, Entry entry, AuditSource source) {
        return database.write(
                organization,
                tx -> entry.proof
                        .person(tx)
                        .flatMap(human -> begin(tx, organization, human, entry))
                        .map(begun -> {
                            UUID id = begun.session().id();
                            added(
                                    tx,
                                    begun.session(),
                                    source,
                                    AuditChange.of(AuditAction.SESSION_CREATED, id.toString()));
                            return begun;
                        }));
    }

    private static Optional<OpenSession> begin(Tx tx, UUID organization, String human, Entry entry) {
        if (!OrganizationHumans.enter(tx, human, organization)) {
            return Optional.empty();
        }
        Instant now = tx.next().at();
        Instant end = now.plus(Session.length(entry.isDeviceTrusted));
        Session session =
                new Session(Uuid7.next(), organization, OrganizationHumans.ensureUser(tx, human), human, now, end);
        SessionSql.insert(tx, session, entry.origin);
        return OpenSession.find(tx, organization, session.id());
    }

    private NewSession opened(OpenSession open) {
        return new NewSession(open.session(), tokens.make(open));
    }

    /**
     * The caller of a token, from the present rows: an ended session is refused at the next request.
     *
     * @throws Problem {@code unauthorized}
     */
    public Caller authenticate(String token) {
        SessionTokens.Claims claims = tokens.read(token);
        return database.read(tx -> {
            OpenSession live = OpenSession.find(tx, claims.organization(), claims.session())
                    .filter(open -> open.session().user().equals(claims.user()))
                    .filter(open -> open.stored().role() == Role.OWN || !claims.owners())
                    .orElseThrow(SessionTokens::invalid);
            return live.caller();
        });
    }

    /**
     * The caller that an open session is.
     *
     * @throws Problem {@code unauthorized} when it has ended
     */
    Caller caller(UUID organization, UUID session) {
        return database.read(tx -> OpenSession.find(tx, organization, session))
                .orElseThrow(SessionTokens::invalid)
                .caller();
    }

    /**
     * The user of an open session, in the caller's transaction.
     *
     * @throws Problem {@code unauthorized} when the session was ended meanwhile
     */
    public static UUID user(Tx tx, UUID organization, UUID session) {
        return OpenSession.find(tx, organization, session)
                .orElseThrow(SessionTokens::invalid)
                .session()
                .user();
    }

    /** The caller's session; refused for keys. */
    Session get(Caller caller) {
        return open(caller).session();
    }

    private OpenSession open(Caller caller) {
        Optional<OpenSession> open = caller.credential() instanceof Caller.Credential.Session(UUID id, Role _)
                ? database.read(tx -> OpenSession.find(tx, caller.organization(), id))
                : Optional.empty();
        return open.orElseThrow(SessionTokens::invalid);
    }

    /** Another token of the caller's session, whose end stays the same. */
    NewSession renew(Caller caller) {
        OpenSession open = open(caller);
        if (open.isSeenLongAgo(clock.instant())) {
            recordUse(open.session());
        }
        return opened(open);
    }

    /** Remembers that a person is there, where the organization may be written to. */
    private void recordUse(Session session) {
        try {
            database.run(session.organization(), tx -> {
                SessionSql.touch(tx, session);
                PersonSql.recordVisit(tx, session.organization(), session.humanEmail());
            });
        } catch (Problem held) {
            LOG.debug("A visit is not noted code={}", held.code());
        }
    }

    /** Ends the caller's session. */
    void close(Caller caller, AuditSource source) {
        close(caller, get(caller).id(), source);
    }

    /** The open sessions of the caller's human, the newest first; at most 100. */
    List<Session> all(Caller caller) {
        Session session = get(caller);
        return database.read(tx -> SessionSql.list(tx, session));
    }

    /**
     * Ends one session of the caller's human.
     *
     * @throws Problem {@code not_found}
     */
    void close(Caller caller, UUID id, AuditSource source) {
        Session session = get(caller);
        database.run(session.organization(), tx -> {
            added(tx, session, source, AuditChange.of(AuditAction.SESSION_DELETED, id.toString()));
            if (SessionSql.delete(tx, session.organization(), session.humanEmail(), id) == 0) {
                throw Problem.notFound("Session");
            }
            Revocations.publish(tx, session.organization());
        });
    }

    /** Ends all sessions of the caller's human, the present one included. */
    void closeAll(Caller caller, AuditSource source) {
        Session session = get(caller);
        database.run(session.organization(), tx -> {
            int open = SessionSql.count(tx, session);
            added(
                    tx,
                    session,
                    source,
                    new AuditChange(AuditAction.SESSION_DELETED, session.id().toString(), Map.of("count", open)));
            SessionSql.deleteAll(tx, session.organization(), session.humanEmail());
            Revocations.publish(tx, session.organization());
        });
    }

    /** Adds an entry to the audit log while the session is there, whose address the entry names. */
    private static void added(Tx tx, Session session, AuditSource source, AuditChange change) {
        AuditActor actor = new AuditActor(AuditActor.Type.USER, session.id(), source);
        AuditLog.add(tx, session.organization(), actor, change);
    }

    private static Problem refused() {
        return Problem.invalid("code", "The code is wrong, has expired, or was tried too often")
                .withFix("Ask for another with POST /console/sign-in.");
    }
}
