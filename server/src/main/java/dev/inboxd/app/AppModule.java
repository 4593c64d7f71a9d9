package dev.inboxd.app;

import dev.inboxd.app.account.AccountHttp;
import dev.inboxd.app.account.Accounts;
import dev.inboxd.app.connect.ConnectHttp;
import dev.inboxd.app.connect.Connects;
import dev.inboxd.app.connect.EnrolmentHttp;
import dev.inboxd.app.connect.Enrolments;
import dev.inboxd.app.oidc.OpenIdProvider;
import dev.inboxd.app.registry.AppAdminHttp;
import dev.inboxd.app.registry.AppHttp;
import dev.inboxd.app.registry.Apps;
import dev.inboxd.app.registry.AppsFile;
import dev.inboxd.app.registry.OperatorApps;
import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.AdminToken;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.web.Pages;
import dev.inboxd.web.oauth.SignInLimits;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Third-party apps, and the accounts of inboxes there. */
public final class AppModule implements ServiceModule {
    private static final Duration BETWEEN_ROTATIONS = Duration.ofHours(1);

    private final AppConfig config;
    private final AppHttp apps;
    private final AppAdminHttp admin;
    private final @Nullable AppsFile file;
    private final AccountHttp accounts;
    private final Pages pages;
    private final ConnectHttp connect;
    private final EnrolmentHttp enrolment;
    private final OpenIdProvider provider;

    /** The apps of this platform. A fault in the apps file is thrown here, before anything runs. */
    public AppModule(AppConfig config, PlatformModule platform) {
        Database database = platform.database();
        this.config = config;
        this.file = config.file()
                .map(path -> AppsFile.at(path, database, platform.clock()))
                .orElse(null);
        this.apps = new AppHttp(new Apps(database));
        this.admin = new AppAdminHttp(new OperatorApps(database, platform.clock(), System::getenv));
        this.accounts = new AccountHttp(new Accounts(database));
        URI issuer = platform.config().publicUrl();
        SignInLimits limits =
                new SignInLimits(platform.budgets(), platform.config().rates().signIn());
        Enrolments enrolments = new Enrolments(database, limits, issuer, platform.clock());
        this.pages = new Pages(issuer);
        this.connect = new ConnectHttp(new Connects(database, platform.vault(), limits, issuer));
        this.enrolment = new EnrolmentHttp(enrolments, limits, pages, issuer);
        this.provider = new OpenIdProvider(
                new OpenIdProvider.Base(database, platform.vault(), platform.clock(), issuer),
                enrolments,
                limits,
                pages);
    }

    @Override
    public void mount(RouteTable routes) {
        apps.mount(routes.at(Level.ORGANIZATION));
        accounts.mountOrganization(routes.at(Level.ORGANIZATION));
        connect.mount(routes.at(Level.ORGANIZATION));
        provider.mountInbox(routes.at(Level.INBOX));
        pages.mount(routes.at(Level.ROOT));
        enrolment.mount(routes.at(Level.ROOT));
        provider.mount(routes.at(Level.ROOT));
        for (Level level : List.of(Level.ORGANIZATION, Level.POD, Level.INBOX)) {
            accounts.mount(routes.at(level));
        }
    }

    /** Mounts the operator's routes on the admin port, when there is a token that opens them. */
    public void mountAdmin(RouteTable routes) {
        config.adminToken().ifPresent(token -> admin.mount(routes.at(Level.ROOT), new AdminToken(token)));
    }

    /** Makes the next keys of the provider, when it is time. */
    public void rotateKeys() {
        provider.rotateKeys();
    }

    /** Applies the apps file again, where there is one: its apps are gone. */
    public void readFile() {
        if (file != null) {
            file.lookAnew();
        }
    }

    @Override
    public void register(Lifecycle lifecycle) {
        if (file != null) {
            lifecycle.add(Phase.SHARED, file::start, file::close);
        }
        PeriodicTask rotation = new PeriodicTask("provider keys", BETWEEN_ROTATIONS, this::rotateKeys);
        lifecycle.add(Phase.JOBS, rotation::start, rotation::close);
        lifecycle.onStop(Phase.WAITS, provider::stopWaits);
    }
}
