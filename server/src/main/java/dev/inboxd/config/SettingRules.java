package dev.inboxd.config;

import dev.inboxd.smtp.server.UpstreamProxies;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/** The rules between settings, and those of production. */
public final class SettingRules {
    /** Top-level names that no public DNS resolves (RFC 2606, RFC 6761, RFC 6762). */
    private static final List<String> RESERVED = List.of("localhost", "local", "test", "example", "invalid");

    private final SettingValues values;

    private SettingRules(SettingValues values) {
        this.values = values;
    }

    /** Adds a fault to the values for every broken rule. */
    static void check(SettingValues values) {
        SettingRules rules = new SettingRules(values);
        rules.delivery();
        rules.tls();
        rules.outboundTls();
        rules.signUp();
        rules.ports();
        AdminSettings.check(values);
        ScreenSettings.check(values);
        TelemetrySettings.check(values);
        ConsoleSettings.check(values);
        PaymentSettings.check(values);
        if (values.find(SettingTable.MODE).equals(Optional.of(Settings.Mode.PRODUCTION))) {
            rules.production();
        }
    }

    private void delivery() {
        boolean relay = values.isGiven(SettingTable.RELAY);
        values.find(SettingTable.DELIVERY)
                .filter(way -> values.isGiven(SettingTable.DELIVERY))
                .ifPresent(way -> {
                    if (way == Settings.Delivery.Route.RELAY && !relay) {
                        values.fault("INBOXD_DELIVERY is \"relay\", which needs INBOXD_RELAY: "
                                + SettingTable.RELAY.form().allowed());
                    }
                    if (way != Settings.Delivery.Route.RELAY && relay) {
                        values.fault("INBOXD_RELAY is set, which means delivery by relay, but INBOXD_DELIVERY is \""
                                + values.shown(SettingTable.DELIVERY) + "\"; leave out one of them");
                    }
                });
    }

    private void outboundTls() {
        if (values.find(SettingTable.DANE).orElse(false) && !values.isGiven(SettingTable.DNS_SERVERS)) {
            values.fault(
                    "INBOXD_DANE is \"on\", which needs INBOXD_DNS_SERVERS: name DNS servers that validate DNSSEC");
        }
        values.find(SettingTable.OUTBOUND_CA)
                .filter(file -> !Files.isReadable(file))
                .ifPresent(
                        file -> values.fault("INBOXD_OUTBOUND_CA is \"" + file + "\", which is not a readable file"));
    }

    private void tls() {
        if (values.isGiven(SettingTable.TLS_CERT) != values.isGiven(SettingTable.TLS_KEY)) {
            values.fault("INBOXD_TLS_CERT and INBOXD_TLS_KEY go together; only one of them is set");
        }
        for (var setting : List.of(SettingTable.TLS_CERT, SettingTable.TLS_KEY)) {
            values.find(setting)
                    .filter(file -> !Files.isReadable(file))
                    .ifPresent(file ->
                            values.fault(setting.variable() + " is \"" + file + "\", which is not a readable file"));
        }
    }

    private void signUp() {
        boolean byToken = values.find(SettingTable.SIGNUP).equals(Optional.of(Settings.SignUp.TOKEN));
        if (byToken && !values.isGiven(SettingTable.SIGNUP_TOKEN)) {
            values.fault("INBOXD_SIGNUP is \"token\", which needs INBOXD_SIGNUP_TOKEN: "
                    + SettingTable.SIGNUP_TOKEN.form().allowed());
        }
        if (!byToken && values.isGiven(SettingTable.SIGNUP_TOKEN)) {
            values.fault("INBOXD_SIGNUP_TOKEN is set, but only INBOXD_SIGNUP=token asks for it; set that or leave it"
                    + " out");
        }
    }

    private void ports() {
        var ports = List.of(
                SettingTable.HTTP_PORT, SettingTable.SMTP_PORT, SettingTable.SUBMISSION_PORT, AdminSettings.PORT);
        boolean proxied =
                values.find(SettingTable.SMTP_PROXIES).orElse(UpstreamProxies.Mode.OFF) != UpstreamProxies.Mode.OFF;
        if (proxied && !values.isGiven(SettingTable.TRUSTED_PROXIES)) {
            values.fault("INBOXD_SMTP_PROXIES is \"" + values.shown(SettingTable.SMTP_PROXIES)
                    + "\", which needs INBOXD_TRUSTED_PROXIES: the addresses of the proxies");
        }
        for (int i = 0; i < ports.size(); i++) {
            for (int j = i + 1; j < ports.size(); j++) {
                var first = ports.get(i);
                var second = ports.get(j);
                values.find(first)
                        .filter(port -> port > 0 && values.find(second).equals(Optional.of(port)))
                        .ifPresent(port -> values.fault(first.variable() + " and " + second.variable() + " are both "
                                + port + "; each needs its own port"));
            }
        }
    }

    private void production() {
        for (Setting<?> needed : List.of(SettingTable.PUBLIC_URL, SettingTable.DOMAIN, SettingTable.SECRET_KEY)) {
            if (!values.isGiven(needed)) {
                values.fault(needed.variable() + " must be set in production; allowed: "
                        + needed.form().allowed());
            }
        }
        values.find(SettingTable.PUBLIC_URL)
                .filter(url -> !"https".equals(url.getScheme()))
                .ifPresent(url -> values.fault(
                        "INBOXD_PUBLIC_URL is \"" + url + "\"; production needs an https:// URL, because keys and"
                                + " download links are sent over it"));
        values.find(SettingTable.DOMAIN)
                .filter(SettingRules::leadsNowhere)
                .ifPresent(domain -> values.fault(
                        "INBOXD_DOMAIN is \"" + domain + "\"; production needs a domain in the public DNS"));
        values.find(SettingTable.PRIVATE_TARGETS)
                .filter(Settings.PrivateTargets.ALLOW::equals)
                .ifPresent(allow -> values.fault(
                        "INBOXD_PRIVATE_TARGETS is \"allow\"; production allows only deny, because otherwise"
                                + " users could reach machines in the server's network"));
        exposure();
    }

    /** Rules about exposure to the network: what is reachable must be configured explicitly. */
    private void exposure() {
        boolean tls = values.find(SettingTable.HTTP_TLS).orElse(false);
        List<String> proxies = values.find(SettingTable.TRUSTED_PROXIES).orElse(List.of());
        boolean exposed = values.isGiven(SettingTable.BIND)
                && !values.find(SettingTable.BIND)
                        .map(InetAddress::isLoopbackAddress)
                        .orElse(true);
        if (exposed && !tls && proxies.isEmpty()) {
            values.fault(
                    "INBOXD_BIND is \"" + values.shown(SettingTable.BIND) + "\", but neither INBOXD_HTTP_TLS=on nor"
                            + " INBOXD_TRUSTED_PROXIES is set, so in production keys would be sent in clear text;"
                            + " serve HTTPS, name the proxy, or leave INBOXD_BIND out: HTTP then stays on loopback");
        }
        if (tls && !values.isGiven(SettingTable.TLS_CERT)) {
            values.fault("INBOXD_HTTP_TLS is \"on\", which in production needs INBOXD_TLS_CERT and INBOXD_TLS_KEY:"
                    + " clients refuse a self-signed certificate");
        }
        proxies.stream()
                .filter(network -> network.endsWith("/0"))
                .forEach(network -> values.fault("INBOXD_TRUSTED_PROXIES is \"" + network
                        + "\"; in production it must not contain every address,"
                        + " so name the proxies"));
        boolean open = values.find(SettingTable.SIGNUP).equals(Optional.of(Settings.SignUp.OPEN));
        boolean unlimited = values.find(SettingTable.LIMITS)
                .map(limits -> !limits.enforced())
                .orElse(false);
        if (open && unlimited) {
            values.fault("INBOXD_SIGNUP is \"open\" and INBOXD_LIMITS is \"off\", so in production anybody could create"
                    + " organizations without limit; set INBOXD_LIMITS=on, or INBOXD_SIGNUP=token");
        }
    }

    /** Whether the public DNS cannot resolve that domain. */
    public static boolean leadsNowhere(String domain) {
        return domain.indexOf('.') < 0 || RESERVED.contains(domain.substring(domain.lastIndexOf('.') + 1));
    }
}
