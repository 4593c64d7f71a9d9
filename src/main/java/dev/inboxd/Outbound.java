package dev.inboxd;

import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.Dns;
import dev.inboxd.net.DnsServers;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetRules;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** How the server reaches others, as the settings say. */
final class Outbound {
    private static final Duration DNS_PATIENCE = Duration.ofSeconds(5);

    private Outbound() {}

    /** The name servers that were given, or the system's. */
    static Dns dns(Settings settings) {
        List<HostPort> given = settings.delivery().dnsServers();
        return new Dns(given.isEmpty() ? DnsServers.ofSystem()
                : DnsServers.parse(given.stream().map(HostPort::toString).collect(Collectors.joining(","))), DNS_PATIENCE);
    }

    /** For webhooks and attachments by URL. */
    static SafeHttp http(Settings settings) {
        TargetRules usual = settings.mode() == Settings.Mode.DEV ? TargetRules.DEVELOPMENT : TargetRules.PRODUCTION;
        AddressPolicy addresses = settings.policy().privateTargets() == Settings.PrivateTargets.ALLOW
                ? AddressPolicy.ANY : AddressPolicy.PUBLIC;
        return new SafeHttp(new TargetRules(addresses, usual.plainHttp(), usual.anyPort()), dns(settings),
                "inboxd/" + Objects.requireNonNullElse(Outbound.class.getPackage().getImplementationVersion(), "dev"));
    }
}
