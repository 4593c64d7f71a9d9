package dev.inboxd.net;

import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;

/**
 * HTTP and DNS to the outside.
 *
 * @param http calls URLs of users
 */
public record NetModule(NetConfig config, SafeHttp http, Dns dns) implements ServiceModule {
    /** Clients that keep to this configuration. */
    public static NetModule of(NetConfig config) {
        return new NetModule(config, config.userHttp(), config.dns());
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStop(Phase.SHARED, http::close);
    }
}
