package dev.inboxd.net;

import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;

/**
 * HTTP and DNS to the outside.
 *
 * @param http calls URLs of users
 * @param faults look-ups that fail in development
 */
public record NetModule(NetConfig config, SafeHttp http, Dns dns, LookupFaults faults) implements ServiceModule {
    /** Clients that keep to this configuration. */
    public static NetModule of(NetConfig config, LookupFaults faults) {
        return new NetModule(config, config.userHttp(), config.dns(), faults);
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStop(Phase.SHARED, http::close);
    }
}
