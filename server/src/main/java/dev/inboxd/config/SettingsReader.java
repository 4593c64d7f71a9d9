package dev.inboxd.config;

import dev.inboxd.config.Settings.Delivery;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds {@link Settings} from the given values and the defaults derived from them. */
public final class SettingsReader {
    private SettingsReader() {}

    /** The settings of these values. Throws {@link SettingsException} when there are faults. */
    public static Settings read(SettingValues values) {
        SettingRules.check(values);
        return readForCommand(values);
    }

    /** Every fault of these values and of the rules between them. */
    public static List<String> faults(SettingValues values) {
        SettingRules.check(values);
        return values.faults();
    }

    /**
     * The same for a command, which opens no port: the rules between settings and those of production do not bind it,
     * so that it runs in a shell that has few of the service's settings.
     */
    public static Settings readForCommand(SettingValues values) {
        values.throwFaults();
        Path dataDirectory = values.get(SettingTable.DATA_DIR).toAbsolutePath().normalize();
        return new Settings(
                values.get(SettingTable.MODE),
                dataDirectory,
                network(values),
                names(values),
                storage(values, dataDirectory),
                delivery(values),
                tls(values),
                policy(values),
                values.find(SettingTable.APPS_FILE),
                ConsoleSettings.read(values),
                PaymentSettings.read(values),
                TelemetrySettings.read(values),
                values.get(SettingTable.LOG),
                values.get(SettingTable.LOG_ADDRESSES),
                values.get(SettingTable.DRAIN));
    }

    private static Settings.Network network(SettingValues values) {
        return new Settings.Network(
                values.get(SettingTable.BIND),
                httpBind(values),
                values.get(SettingTable.HTTP_PORT),
                values.get(SettingTable.SMTP_PORT),
                values.get(SettingTable.SUBMISSION_PORT),
                values.find(SettingTable.TRUSTED_PROXIES).orElse(List.of()),
                values.get(SettingTable.SMTP_PROXIES),
                values.find(SettingTable.CORS_ORIGINS).orElse(List.of()),
                values.get(SettingTable.HTTP_IDLE),
                AdminSettings.read(values));
    }

    /**
     * The address of HTTP. In production without INBOXD_BIND it is loopback when neither HTTPS nor a proxy on another
     * machine is configured: API keys must not cross a network in clear text.
     */
    private static InetAddress httpBind(SettingValues values) {
        boolean configured = values.isGiven(SettingTable.BIND) || values.get(SettingTable.MODE) == Settings.Mode.DEV;
        boolean proxiesOnLoopback = values.find(SettingTable.TRUSTED_PROXIES).orElse(List.of()).stream()
                .allMatch(
                        proxy -> InetAddress.ofLiteral(proxy.split("/", -1)[0]).isLoopbackAddress());
        return !configured && !values.get(SettingTable.HTTP_TLS) && proxiesOnLoopback
                ? InetAddress.getLoopbackAddress()
                : values.get(SettingTable.BIND);
    }

    private static Settings.Names names(SettingValues values) {
        // Missing in production is a fault for serve; a command may have it from the database.
        String domain = values.find(SettingTable.DOMAIN).orElse("mail.localhost");
        String mxHost = values.find(SettingTable.MX_HOST).orElse("mx." + domain);
        return new Settings.Names(
                values.find(SettingTable.PUBLIC_URL),
                domain,
                mxHost,
                values.find(SettingTable.BOUNCE_HOST).orElse(mxHost),
                values.find(SettingTable.SPF_HOST).orElse("spf." + domain),
                values.find(SettingTable.TRACKING_HOST));
    }

    private static Settings.Storage storage(SettingValues values, Path dataDirectory) {
        URI blobs = values.find(SettingTable.BLOB_URL)
                .orElse(dataDirectory.resolve("blobs").toUri());
        return new Settings.Storage(
                values.find(SettingTable.DATABASE_URL),
                blobs,
                values.find(SettingTable.SECRET_KEY).orElse(List.of()),
                values.find(SettingTable.RETENTION).orElse(Map.of()));
    }

    private static Delivery delivery(SettingValues values) {
        Optional<RelayServer> relay = values.find(SettingTable.RELAY);
        return new Delivery(
                relay.isPresent() ? Delivery.Route.RELAY : values.get(SettingTable.DELIVERY),
                relay,
                values.get(SettingTable.OUTBOUND_SMTP_PORT),
                values.find(SettingTable.DNS_SERVERS).orElse(List.of()),
                values.get(SettingTable.DANE),
                values.find(SettingTable.OUTBOUND_CA));
    }

    private static Settings.Tls tls(SettingValues values) {
        return new Settings.Tls(
                values.find(SettingTable.TLS_CERT),
                values.find(SettingTable.TLS_KEY),
                values.get(SettingTable.HTTP_TLS));
    }

    private static Settings.Policy policy(SettingValues values) {
        return new Settings.Policy(
                values.get(SettingTable.SIGNUP),
                values.find(SettingTable.SIGNUP_TOKEN),
                values.get(SettingTable.PRIVATE_TARGETS),
                values.get(SettingTable.LIMITS),
                values.get(SettingTable.LABS),
                new Settings.Calendars(
                        values.get(SettingTable.CALENDARS), values.get(SettingTable.CALENDAR_REQUIRE_IF_MATCH)),
                ScreenSettings.read(values),
                values.get(SettingTable.MAX_MESSAGE),
                values.get(SettingTable.MAX_RECEIVED),
                values.get(SettingTable.AUTO_REPLY_LABEL),
                values.find(SettingTable.OPERATOR_INBOX),
                values.find(SettingTable.SPAM_URL),
                values.find(SettingTable.CLAMAV));
    }
}
