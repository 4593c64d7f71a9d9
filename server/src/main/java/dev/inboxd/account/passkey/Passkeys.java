package dev.inboxd.account.passkey;

import dev.inboxd.account.passkey.PasskeyOptions.Owner;
import dev.inboxd.account.session.ConsoleSessions;
import dev.inboxd.account.session.ConsoleSessions.SessionCookie;
import dev.inboxd.account.session.SessionOrigin;
import dev.inboxd.account.session.Sessions;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.organization.OrganizationHumans;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The passkeys of people: made and removed by each alone, and taken for a code at the sign-in. */
public final class Passkeys {
    private static final int MOST = 10;
    private static final String SIGN_IN = "sign-in";

    private final Database database;
    private final ConsoleSessions sessions;
    private final SystemMail mail;
    private final PasskeySite site;
    private final PasskeyOptions options;
    private final PasskeyChallenges challenges;
    private final PasskeyVerifier verifier;

    /**
     * Where passkeys are good.
     *
     * @param publicUrl of the service
     * @param vault makes challenges
     */
    public record Place(URI publicUrl, Vault vault, InstantSource clock) {}

    /** The passkeys in a database. */
    public Passkeys(Database database, ConsoleSessions sessions, SystemMail mail, Place place) {
        this.database = database;
        this.sessions = sessions;
        this.mail = mail;
        this.site = PasskeySite.of(place.publicUrl);
        this.options = new PasskeyOptions(site);
        this.challenges = new PasskeyChallenges(place.vault, place.clock);
        this.verifier = new PasskeyVerifier(site, challenges);
    }

    /** Whether browsers make passkeys for this site: it needs HTTPS and a name, or to be on this machine. */
    public boolean isPossible() {
        return site.isSecure();
    }

    /** Those of the caller, the oldest first; none for a caller without a session. */
    public List<Passkey> all(Caller caller) {
        String human = sessions.person(caller);
        return human == null ? List.of() : database.read(tx -> PasskeySql.list(tx, caller.organization(), human));
    }

    /** What the caller's browser needs to make one, as JSON. */
    public String creationOptions(Caller caller) {
        String human = person(caller);
        UUID organization = caller.organization();
        return database.read(tx -> options.creation(
                challenges.make(purpose(caller)),
                new Owner(organization, user(tx, caller)),
                human,
                PasskeySql.credentials(tx, organization, human)));
    }

    /** What a browser needs to ask for one, as JSON. */
    public String requestOptions() {
        return options.request(challenges.make(SIGN_IN));
    }

    /**
     * Adds one that the caller's browser has made, and tells the person by mail.
     *
     * @param answer of the browser, as JSON
     * @param origin where it was made
     * @throws Problem {@code validation_error}, {@code limit_exceeded}, {@code rate_limit_exceeded} as for sign-ins
     */
    public void add(Caller caller, String answer, SessionOrigin origin, AuditSource source) {
        sessions.count(source);
        String human = person(caller);
        UUID organization = caller.organization();
        NewPasskey passkey = verifier.registered(answer, purpose(caller), human);
        SystemMail.SignedMail letter = mail.seal(PasskeyMail.added(human, origin));
        database.run(organization, tx -> {
            user(tx, caller);
            if (PasskeySql.list(tx, organization, human).size() >= MOST) {
                throw Problem.limit(
                        "passkeys",
                        MOST,
                        "A person has at most " + MOST + " passkeys",
                        "Remove one that you no longer use.");
            }
            if (!PasskeySql.insert(tx, View.of(organization), passkey, origin.device())) {
                throw Problem.invalid("answer", "You already have this passkey");
            }
            added(tx, caller, source, change(AuditAction.PASSKEY_CREATED, passkey.id()));
            mail.queue(tx, organization, letter);
        });
    }

    /**
     * Removes one of the caller's.
     *
     * @throws Problem {@code not_found}
     */
    public void remove(Caller caller, UUID id, AuditSource source) {
        String human = person(caller);
        database.run(caller.organization(), tx -> {
            added(tx, caller, source, change(AuditAction.PASSKEY_DELETED, id));
            if (!PasskeySql.delete(tx, caller.organization(), human, id)) {
                throw Problem.notFound("Passkey");
            }
        });
    }

    /**
     * Opens a session by a passkey.
     *
     * @param answer of the browser, as JSON
     * @throws Problem {@code validation_error}, the same for whatever is wrong; {@code rate_limit_exceeded}
     */
    public SessionCookie open(String answer, SessionOrigin origin, AuditSource source) {
        sessions.count(source);
        PasskeyVerifier.Assertion assertion = verifier.read(answer, SIGN_IN);
        Owner owner = assertion.owner().orElseThrow(PasskeyVerifier::refused);
        PasskeyRow stored = database.read(tx -> PasskeySql.find(tx, owner.organization(), assertion.credentialId()))
                .orElseThrow(PasskeyVerifier::refused);
        PasskeySql.Use use = new PasskeySql.Use(verifier.signed(assertion, stored), assertion.challengedAt());
        return sessions.open(
                        owner.organization(),
                        tx -> Optional.of(stored.humanEmail())
                                .filter(human -> OrganizationHumans.user(tx, human, owner.organization())
                                        .equals(Optional.of(owner.user())))
                                .filter(_ -> PasskeySql.use(tx, owner.organization(), stored.id(), use)),
                        origin,
                        source)
                .orElseThrow(PasskeyVerifier::refused);
    }

    private static void added(Tx tx, Caller caller, AuditSource source, AuditChange change) {
        AuditLog.add(tx, caller.organization(), AuditActor.of(caller, source), change);
    }

    private static AuditChange change(AuditAction action, UUID id) {
        return AuditChange.of(action, id.toString());
    }

    /** The caller's challenges are good for the session that asked for them alone. */
    private static String purpose(Caller caller) {
        return "creation " + caller.credential().id();
    }

    private static UUID user(Tx tx, Caller caller) {
        return Sessions.user(
                tx,
                caller.organization(),
                Optional.ofNullable(caller.credential().id()).orElseThrow());
    }

    private String person(Caller caller) {
        String human = sessions.person(caller);
        if (human == null) {
            throw Problem.invalid("do", "Nobody is signed in here");
        }
        return human;
    }
}
