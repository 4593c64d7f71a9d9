package dev.inboxd.account;

import dev.inboxd.account.passkey.Passkeys;
import dev.inboxd.account.person.OrganizationPeople;
import dev.inboxd.account.session.ConsoleSessions;
import dev.inboxd.account.session.OpenDevices;
import dev.inboxd.account.session.SessionHttp;
import dev.inboxd.account.session.Sessions;
import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.account.signup.HumanAttachment;
import dev.inboxd.account.signup.SignUpHttp;
import dev.inboxd.account.signup.SignUpLimits;
import dev.inboxd.account.signup.SignUps;
import dev.inboxd.account.signup.Verification;
import dev.inboxd.account.signup.WalletHuman;
import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.organization.Organizations;

/** How people and agents get an account: sign-up, and sessions of the console. */
public final class AccountModule implements ServiceModule {
    private final AccountConfig config;
    private final Database database;
    private final SystemMail mail;
    private final Passkeys.Place place;
    private final SignUpLimits limits;
    private final SignUpHttp.Actions signUp;
    private final Sessions sessions;

    /**
     * The accounts of this platform.
     *
     * @param mail brings codes to humans
     * @param rotation ends what belonged to the last holder of a key
     */
    public AccountModule(
            AccountConfig config, PlatformModule platform, SystemMail mail, SignUps.KeyRotationHook rotation) {
        this.config = config;
        this.limits = new SignUpLimits(platform.budgets(), platform.config().rates());
        this.database = platform.database();
        this.mail = mail;
        Vault vault = platform.vault();
        this.place = new Passkeys.Place(platform.config().publicUrl(), vault, platform.clock());
        Organizations organizations = new Organizations(database, platform.clock());
        this.signUp = new SignUpHttp.Actions(
                new SignUps(
                        new SignUps.Parts(database, organizations, mail, vault, rotation, limits),
                        config.domain(),
                        platform.clock()),
                new Verification(database, vault),
                new HumanAttachment(database, mail, vault, limits),
                new WalletHuman(database, mail, vault, limits));
        this.sessions = new Sessions(
                database,
                mail,
                vault,
                limits,
                new Sessions.Issuer(platform.config().publicUrl(), platform.clock()));
    }

    /** The sessions of the console, whose tokens are credentials. */
    public Sessions sessions() {
        return sessions;
    }

    /** The same sessions for pages. */
    public ConsoleSessions consoleSessions() {
        return new ConsoleSessions(sessions, new HumanAddresses(false, config.domain()), limits);
    }

    /** What people sign in by in the place of codes. */
    public Passkeys passkeys() {
        return new Passkeys(database, consoleSessions(), mail, place);
    }

    /** Where people are signed in. */
    public OpenDevices devices() {
        return new OpenDevices(database);
    }

    /** The people of organizations. */
    public OrganizationPeople people() {
        HumanAddresses humans = new HumanAddresses(config.strictAddresses(), config.domain());
        return new OrganizationPeople(
                database, mail, limits, new OrganizationPeople.Addresses(humans, place.publicUrl()));
    }

    @Override
    public void mount(RouteTable routes) {
        HumanAddresses atSignUp = new HumanAddresses(config.strictAddresses(), config.domain());
        new SignUpHttp(config.signUp(), atSignUp, signUp, limits).mount(routes.at(Level.ORGANIZATION));
        new SessionHttp(sessions, new HumanAddresses(false, config.domain()), limits).mount(routes.at(Level.ROOT));
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStop(Lifecycle.Phase.SHARED, sessions::close);
    }
}
