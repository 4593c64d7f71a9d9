package dev.inboxd.config;

import dev.inboxd.config.Setting.Default;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The operator's port.
 *
 * @param bind its address
 * @param port empty when it is off
 * @param hosts names by which it is called
 * @param token opens {@code /admin/v0}, which does not exist when absent
 */
public record AdminSettings(InetAddress bind, OptionalInt port, List<String> hosts, Optional<Secret> token) {
    static final Setting<Integer> PORT = new Setting<>(
            "ADMIN_PORT", SettingTypes.PORT_OR_OFF, Default.of("off", "9090"), "Metrics and the operator interface.");
    static final Setting<InetAddress> BIND = new Setting<>(
            "ADMIN_BIND",
            SettingType.IP,
            Default.of("127.0.0.1"),
            "The address of the admin port; beyond loopback the operator interface needs TLS.");
    static final Setting<List<String>> HOSTS = new Setting<>(
            "ADMIN_HOSTS",
            SettingType.HOST.list(),
            Default.derived("none"),
            "Names by which the operator interface is called, beside localhost, addresses and the public URL's host.");
    static final Setting<Secret> TOKEN = new Setting<>(
            "ADMIN_TOKEN",
            SettingTypes.ADMIN_TOKEN,
            Default.derived("none: no operator interface"),
            "The bearer token of the operator interface on the admin port.");

    public AdminSettings {
        hosts = List.copyOf(hosts);
    }

    static AdminSettings read(SettingValues values) {
        int port = values.get(PORT);
        return new AdminSettings(
                values.get(BIND),
                port == SettingTypes.OFF ? OptionalInt.empty() : OptionalInt.of(port),
                values.find(HOSTS).orElse(List.of()),
                values.find(TOKEN));
    }

    /** The token must not cross a network in clear text. */
    static void check(SettingValues values) {
        boolean exposed = !values.find(BIND).map(InetAddress::isLoopbackAddress).orElse(true);
        boolean secured = values.find(SettingTable.HTTP_TLS).orElse(false)
                || !values.find(SettingTable.TRUSTED_PROXIES).orElse(List.of()).isEmpty();
        if (exposed && values.isGiven(TOKEN) && !secured) {
            values.fault("INBOXD_ADMIN_BIND is \"" + values.shown(BIND) + "\", but neither INBOXD_HTTP_TLS=on nor"
                    + " INBOXD_TRUSTED_PROXIES is set, so INBOXD_ADMIN_TOKEN would be sent in clear text; serve HTTPS,"
                    + " name the proxy, or leave one of the two out");
        }
    }
}
