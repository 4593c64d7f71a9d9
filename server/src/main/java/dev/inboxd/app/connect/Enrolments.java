package dev.inboxd.app.connect;

import dev.inboxd.app.account.Accounts;
import dev.inboxd.app.registry.App;
import dev.inboxd.app.registry.AppSql;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.tenant.apikey.PublicKeys;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.web.oauth.SecretToken;
import dev.inboxd.web.oauth.SignInLimits;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What happens behind a magic link: a client makes a key and has it activated (apps.md §6.9). */
public final class Enrolments {
    private final Database database;
    private final SignInLimits limits;
    private final URI issuer;
    private final InstantSource clock;

    /**
     * Enrolments at this service.
     *
     * @param issuer the public URL
     */
    public Enrolments(Database database, SignInLimits limits, URI issuer, InstantSource clock) {
        this.database = database;
        this.limits = limits;
        this.issuer = issuer;
        this.clock = clock;
    }

    /** What an open link is for. */
    record OpenLink(SignInKey key, App app, Inbox inbox, Instant expiresAt) {}

    /**
     * The link of a token, as long as nobody has used it.
     *
     * @throws Problem {@code not_found} for every other token
     */
    OpenLink open(String token) {
        byte[] digest = SecretToken.digest(token);
        return database.read(tx -> SignInKeySql.link(tx, digest)
                        .filter(link -> !link.isUsed())
                        .flatMap(link -> open(tx, link)))
                .orElseThrow(() -> Problem.notFound("Link"));
    }

    private Optional<OpenLink> open(Tx tx, SignInKeySql.Link link) {
        Instant now = clock.instant();
        return now.isBefore(link.expiresAt())
                ? SignInKeys.pending(tx, link.organization(), link.key(), now)
                        .flatMap(key -> place(tx, key)
                                .map(place -> new OpenLink(key, place.app(), place.inbox(), link.expiresAt())))
                : Optional.empty();
    }

    private record Place(App app, Inbox inbox) {}

    /** Where a key is to sign in, as long as its inbox may. */
    private static Optional<Place> place(Tx tx, SignInKey key) {
        Accounts.Holder holder = new Accounts.Holder(key.organization(), key.inbox());
        return AppSql.find(tx, key.app())
                .filter(App::isEnabled)
                .flatMap(app -> Inboxes.find(tx, View.of(key.organization()), key.inbox())
                        .filter(inbox -> !inbox.isIdle() && Accounts.isOpen(tx, app, holder))
                        .map(inbox -> new Place(app, inbox)));
    }

    /** A link that was used up: the client has a few minutes to prove that it has a key. */
    record Begun(OpenLink link, String challenge, String cookie) {}

    /**
     * Uses a link up. Of several callers at once, one succeeds.
     *
     * @throws Problem {@code not_found} for the others, and for a link that is not open
     */
    Begun begin(String token) {
        byte[] digest = SecretToken.digest(token);
        SignInKeySql.Link link =
                database.read(tx -> SignInKeySql.link(tx, digest)).orElseThrow(() -> Problem.notFound("Link"));
        return database.write(link.organization(), tx -> {
            Instant now = tx.next().at();
            OpenLink open = link.isUsed() ? null : open(tx, link).orElse(null);
            if (open == null || !SignInKeySql.use(tx, digest, now)) {
                throw Problem.notFound("Link");
            }
            String cookie = SecretToken.next();
            SignInKey.Challenge challenge =
                    new SignInKey.Challenge(SignInKeys.randomChallenge(), SecretToken.digest(cookie));
            SignInKeySql.begin(tx, link.organization(), link.key(), challenge);
            return new Begun(open, SignInKeys.text(challenge), cookie);
        });
    }

    /** A key that signs from now on. */
    public record Activated(
            UUID key, Instant expiresAt, @Nullable String continueUrl) {}

    /**
     * Activates a key.
     *
     * @param isAllowed whether the caller is the client that began
     * @param source the client's request, which the audit log names
     * @throws Problem {@code unauthorized}, {@code not_found}, {@code conflict}, {@code validation_error}
     */
    public Activated activate(SignInKeys.Activation activation, Predicate<SignInKey> isAllowed, AuditSource source) {
        UUID organization = database.read(
                        tx -> PublicKeys.organization(tx, activation.key().toString()))
                .orElseThrow(Enrolments::stranger);
        SignInKey pendingKey = database.read(tx -> SignInKeys.find(tx, organization, activation.key()))
                .filter(isAllowed)
                .orElseThrow(Enrolments::stranger);
        limits.activating(pendingKey.bearer());
        return database.write(organization, tx -> {
            Instant now = tx.next().at();
            SignInKey key =
                    SignInKeys.pending(tx, organization, activation.key(), now).orElseThrow(Enrolments::keyNotFound);
            Place place = place(tx, key).orElseThrow(Enrolments::keyNotFound);
            SignInKeys.requireProof(key, activation, place.inbox().address());
            SignInKeys.activate(tx, key, activation.material(), now);
            // The client has no other credential: the key itself is who did it.
            AuditLog.add(
                    tx,
                    organization,
                    new AuditActor(AuditActor.Type.API_KEY, key.id(), source),
                    AuditChange.of(AuditAction.SIGN_IN_KEY_ACTIVATED, key.id().toString()));
            return new Activated(
                    key.id(), now.plus(PublicKeys.SIGN_IN_KEY_LIFE), continueUrl(place.app(), place.inbox()));
        });
    }

    /** Where the app begins a sign-in of its own (OpenID Connect Core 1.0 §4). */
    private @Nullable String continueUrl(App app, Inbox inbox) {
        String uri = app.client().initiateLoginUri();
        return uri == null
                ? null
                : uri + (uri.contains("?") ? "&" : "?") + "iss=" + encoded(issuer.toString()) + "&login_hint="
                        + encoded(inbox.address());
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static Problem stranger() {
        return Problem.of(
                ErrorCode.UNAUTHORIZED,
                "This client did not begin this sign-in",
                "Activate the key from the client that began, with the cookie that it was given.");
    }

    private static Problem keyNotFound() {
        return Problem.notFound("Sign-in key");
    }
}
