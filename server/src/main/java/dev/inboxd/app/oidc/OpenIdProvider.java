package dev.inboxd.app.oidc;

import dev.inboxd.app.connect.Enrolments;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.web.Pages;
import dev.inboxd.web.oauth.SignInLimits;
import java.net.URI;
import java.time.InstantSource;

/** Constructs the OpenID provider from its parts. */
public final class OpenIdProvider {
    private final ProviderKeys keys;
    private final AuthorizationHttp authorization;
    private final SignInHttp signIn;
    private final TokenHttp tokens;

    /**
     * What the provider stands on.
     *
     * @param issuer the public URL
     */
    public record Base(Database database, Vault vault, InstantSource clock, URI issuer) {}

    /** The provider of this service. */
    public OpenIdProvider(Base base, Enrolments enrolments, SignInLimits limits, Pages pages) {
        Discovery discovery = new Discovery(base.issuer);
        Database database = base.database;
        Transactions transactions = new Transactions(database, limits, base.clock);
        this.keys = new ProviderKeys(database, base.vault, base.clock);
        this.authorization = new AuthorizationHttp(transactions, limits, pages, discovery);
        this.signIn = new SignInHttp(
                new SignInHttp.Parts(
                        transactions,
                        new Approvals(database, transactions, base.clock),
                        new Continuations(database, discovery.issuer()),
                        enrolments),
                limits,
                pages,
                discovery);
        Redemptions redemptions =
                new Redemptions(database, new IdTokens(keys, discovery.issuer()), new Claims(base.vault), base.clock);
        this.tokens = new TokenHttp(new TokenHttp.Parts(discovery, keys, new Clients(database), redemptions), limits);
    }

    /** Mounts the routes that take no API key. */
    public void mount(Routes root) {
        authorization.mount(root);
        signIn.mount(root);
        tokens.mount(root);
    }

    /** Mounts the route of agents, below an inbox. */
    public void mountInbox(Routes inbox) {
        signIn.mountInbox(inbox);
    }

    /** Answers the browsers that wait for an approval. */
    public void stopWaits() {
        signIn.close();
    }

    /** Makes keys that are due, and deletes those that are over. Run now and then. */
    public void rotateKeys() {
        keys.rotate();
    }
}
