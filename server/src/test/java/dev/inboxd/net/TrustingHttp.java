package dev.inboxd.net;

import java.security.KeyStore;

/** Outgoing HTTP that knows an authority of a test. */
public final class TrustingHttp {
    private TrustingHttp() {}

    /** As in development, with these authorities and no others. */
    public static SafeHttp of(Dns dns, KeyStore authorities) {
        return new SafeHttp(
                TargetRules.DEVELOPMENT, HttpClients.start(TargetRules.DEVELOPMENT, dns, "inboxd/test", authorities));
    }
}
