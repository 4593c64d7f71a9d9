package dev.inboxd.app.connect;

import dev.inboxd.app.registry.App;
import dev.inboxd.app.registry.Apps;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.web.oauth.SecretToken;
import dev.inboxd.web.oauth.SignInLimits;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes links with which a client signs an inbox in at an app (apps.md §4). */
public final class Connects {
    private static final String PURPOSE = "connect answer";

    private final Database database;
    private final Vault vault;
    private final SignInLimits limits;
    private final URI issuer;

    /**
     * Links of this service.
     *
     * @param issuer the public URL
     */
    public Connects(Database database, Vault vault, SignInLimits limits, URI issuer) {
        this.database = database;
        this.vault = vault;
        this.limits = limits;
        this.issuer = issuer;
    }

    /**
     * A request for a link.
     *
     * @param app as the path names it
     * @param inbox as the body names it; null for the inbox of the key
     */
    record LinkRequest(
            String app,
            @Nullable String inbox,
            boolean acceptsDisclosure,
            @Nullable String idempotencyKey) {
        byte[] digest() {
            return Digests.sha256(app + "\n" + inbox + "\n" + acceptsDisclosure);
        }
    }

    /** The answer to connect. */
    record MagicLink(UUID key, String url, Instant expiresAt) {
        @Override
        public String toString() {
            return "MagicLink[" + key + ", ***]";
        }
    }

    /**
     * Makes a link, or gives the one of the same request again.
     *
     * @throws Problem as apps.md §4 lists them
     */
    Outcome<MagicLink> connect(Caller caller, LinkRequest linkRequest) {
        UUID organization = caller.organization();
        UUID bearer = caller.requireKey();
        Optional<MagicLink> again = database.read(tx -> repeated(tx, organization, bearer, linkRequest));
        if (again.isPresent()) {
            return Outcome.same(again.get());
        }
        limits.connecting(organization, bearer);
        return database.write(
                organization,
                tx -> repeated(tx, organization, bearer, linkRequest)
                        .map(Outcome::same)
                        .orElseGet(() -> Outcome.changed(make(tx, caller, linkRequest))));
    }

    private Optional<MagicLink> repeated(Tx tx, UUID organization, UUID bearer, LinkRequest linkRequest) {
        String key = linkRequest.idempotencyKey();
        if (key == null) {
            return Optional.empty();
        }
        return SignInKeySql.answer(tx, organization, new SignInKeySql.RequestName(bearer, key))
                .map(stored -> {
                    if (!MessageDigest.isEqual(stored.digest(), linkRequest.digest())) {
                        throw Problem.of(
                                ErrorCode.IDEMPOTENCY_CONFLICT,
                                "The Idempotency-Key belongs to another request",
                                "Use a new Idempotency-Key, or repeat the original request.");
                    }
                    String url = new String(vault.open(PURPOSE, stored.sealed()), StandardCharsets.UTF_8);
                    return new MagicLink(stored.key(), url, stored.expiresAt());
                });
    }

    private MagicLink make(Tx tx, Caller caller, LinkRequest linkRequest) {
        UUID organization = caller.organization();
        App app = Apps.named(tx, linkRequest.app()).filter(App::canConnect).orElseThrow(() -> Problem.notFound("App"));
        Inbox inbox = inbox(tx, caller, linkRequest.inbox());
        SignInKeys.SignInRequest request =
                new SignInKeys.SignInRequest(caller, app, inbox, linkRequest.acceptsDisclosure());
        request.check(tx);
        Instant now = tx.next().at();
        limits.requireRoomForLink(
                SignInKeySql.countOpen(tx, organization, request.bearer(), now.minus(SignInKeys.PENDING)));
        SignInKey key = SignInKeys.open(tx, request, null, now);
        String token = SecretToken.next();
        MagicLink link = new MagicLink(key.id(), issuer + "/connect/" + token, now.plus(SignInKeys.PENDING));
        SignInKeySql.insertLink(
                tx, SecretToken.digest(token), new SignInKeySql.Link(organization, key.id(), link.expiresAt(), false));
        if (linkRequest.idempotencyKey() != null) {
            byte[] sealed = vault.seal(PURPOSE, link.url().getBytes(StandardCharsets.UTF_8));
            SignInKeySql.putAnswer(
                    tx,
                    organization,
                    new SignInKeySql.RequestName(request.bearer(), linkRequest.idempotencyKey()),
                    new SignInKeySql.StoredAnswer(linkRequest.digest(), key.id(), sealed, link.expiresAt()));
        }
        return link;
    }

    private static Inbox inbox(Tx tx, Caller caller, @Nullable String name) {
        View view = caller.view();
        String inboxName = name == null ? caller.inboxName() : name;
        if (inboxName == null) {
            throw Problem.invalid("inbox_id", "inbox_id is required: the key is not bound to one inbox");
        }
        return InboxScopeResolver.find(tx, view, inboxName).orElseThrow(() -> Problem.notFound("Inbox"));
    }
}
