package dev.inboxd.app;

import dev.inboxd.app.account.AccountHttp;
import dev.inboxd.app.account.Accounts;
import dev.inboxd.app.registry.AppHttp;
import dev.inboxd.app.registry.Apps;
import dev.inboxd.platform.PlatformModule;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.http.Level;
import dev.inboxd.platform.http.RouteTable;
import dev.inboxd.platform.module.ServiceModule;
import java.util.List;

/** Third-party apps, and the accounts of inboxes there. */
public final class AppModule implements ServiceModule {
    private final AppHttp apps;
    private final AccountHttp accounts;

    /** The apps of this platform. */
    public AppModule(AppConfig config, PlatformModule platform) {
        Database database = platform.database();
        this.apps = new AppHttp(new Apps(database));
        this.accounts = new AccountHttp(new Accounts(database));
    }

    @Override
    public void mount(RouteTable routes) {
        apps.mount(routes.at(Level.ORGANIZATION));
        accounts.mountOrganization(routes.at(Level.ORGANIZATION));
        for (Level level : List.of(Level.ORGANIZATION, Level.POD, Level.INBOX)) {
            accounts.mount(routes.at(level));
        }
    }

    /** Mounts the operator's routes on the admin port. */
    public void mountAdmin(RouteTable routes) {}
}
