package dev.inboxd.sandbox.reset;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.mailbox.deletion.OrganizationErasure;
import dev.inboxd.sending.draft.DraftPurge;
import java.util.UUID;
import java.util.function.Consumer;

/** The resets of a world to test in. Constructed in development only. */
public final class ResetModule implements ServiceModule {
    private final ResetHttp http;

    /**
     * The resets of a platform.
     *
     * @param faultsGone called when the faults of an organization are deleted
     */
    public ResetModule(PlatformModule platform, Consumer<UUID> faultsGone, ServerReset server) {
        server.listen(platform.notifications());
        this.http = new ResetHttp(
                new WorldReset(
                        platform.database(),
                        new OrganizationErasure(platform.database(), platform.blobs()),
                        new DraftPurge(platform.database(), platform.blobs(), platform.jobs()),
                        faultsGone),
                server);
    }

    @Override
    public void mount(RouteTable routes) {
        http.mount(routes.at(Level.ROOT));
    }
}
