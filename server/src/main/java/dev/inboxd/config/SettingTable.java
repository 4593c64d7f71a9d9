package dev.inboxd.config;

import static dev.inboxd.config.Setting.Default.derived;

import dev.inboxd.config.Setting.Default;
import dev.inboxd.smtp.server.UpstreamProxies;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every setting. Variables, options of {@code serve}, its help and {@code doctor} are read from this table. */
public final class SettingTable {
    static final Setting<Settings.Mode> MODE = new Setting<>(
            "MODE",
            SettingType.oneOf(Settings.Mode.class),
            Default.of("dev"),
            "dev for one machine on loopback, production to serve others; production refuses unsafe values.");
    public static final Setting<Path> DATA_DIR = new Setting<>(
            "DATA_DIR",
            SettingType.PATH,
            Default.of("./data"),
            "Embedded database, blobs and generated keys; only the owner can read it.");
    static final Setting<Integer> HTTP_PORT = new Setting<>(
            "HTTP_PORT", SettingType.PORT_OR_ANY, Default.of("8080"), "API, WebSocket, console and downloads.");
    static final Setting<Integer> SMTP_PORT =
            new Setting<>("SMTP_PORT", SettingType.PORT_OR_ANY, Default.of("2525"), "Mail from other servers.");
    static final Setting<Integer> SUBMISSION_PORT =
            new Setting<>("SUBMISSION_PORT", SettingType.PORT_OR_ANY, Default.of("5870"), "Authenticated submission.");
    static final Setting<Path> APPS_FILE = new Setting<>(
            "APPS_FILE",
            SettingType.PATH,
            derived("none"),
            "A file in YAML that registers apps, read again when it changes.");
    static final Setting<InetAddress> BIND = new Setting<>(
            "BIND",
            SettingType.IP,
            Default.of("127.0.0.1", "0.0.0.0"),
            "The address to listen on; in production HTTP leaves loopback only with TLS or a trusted proxy.");
    static final Setting<URI> PUBLIC_URL = new Setting<>(
            "PUBLIC_URL",
            SettingType.WEB_URL,
            derived("http://127.0.0.1:<port> in dev, must be given in production"),
            "Base of every link that leaves the server.");
    static final Setting<List<String>> TRUSTED_PROXIES = new Setting<>(
            "TRUSTED_PROXIES",
            SettingTypes.NETWORK.list(),
            derived("none"),
            "Trusted proxies, by address or network, for X-Forwarded-For, Forwarded and SMTP_PROXIES.");
    static final Setting<UpstreamProxies.Mode> SMTP_PROXIES = new Setting<>(
            "SMTP_PROXIES",
            SettingType.oneOf(UpstreamProxies.Mode.class),
            Default.of("off"),
            "How trusted proxies name their clients over SMTP: proxy, by a header on each connection, or xclient.");
    static final Setting<List<String>> CORS_ORIGINS = new Setting<>(
            "CORS_ORIGINS",
            SettingTypes.ORIGIN.list(),
            derived("any"),
            "The web pages that may call the API, by their origins.");
    static final Setting<Duration> HTTP_IDLE = new Setting<>(
            "HTTP_IDLE",
            SettingTypes.IDLE_SECONDS,
            Default.of("75s"),
            "How long an HTTP connection without a request is kept; longer than a balancer in front keeps it.");
    static final Setting<String> DOMAIN = new Setting<>(
            "DOMAIN",
            SettingType.HOST,
            new Default("mail.localhost", "", "mail.localhost in dev, must be given in production"),
            "The default domain of inboxes.");
    static final Setting<String> MX_HOST = new Setting<>(
            "MX_HOST",
            SettingType.HOST,
            derived("mx.<domain>"),
            "The name of this server, as in its greeting and in MX records.");
    static final Setting<String> BOUNCE_HOST = new Setting<>(
            "BOUNCE_HOST",
            SettingType.HOST,
            derived("the MX host"),
            "The MX host of return paths of customers' domains.");
    static final Setting<String> SPF_HOST = new Setting<>(
            "SPF_HOST", SettingType.HOST, derived("spf.<domain>"), "The name customers' SPF records include.");
    static final Setting<String> TRACKING_HOST = new Setting<>(
            "TRACKING_HOST",
            SettingType.HOST,
            derived("none: opens are not tracked"),
            "The name of this server in the pixels of tracked mail of its own domain.");
    public static final Setting<ExternalDatabase> DATABASE_URL = new Setting<>(
            "DATABASE_URL",
            SettingTypes.DATABASE,
            derived("embedded"),
            "A PostgreSQL 15 to 18 in place of the embedded one.");
    public static final Setting<URI> BLOB_URL = new Setting<>(
            "BLOB_URL", SettingTypes.BLOBS, derived("<data>/blobs"), "The storage of large messages and files.");
    static final Setting<Settings.Delivery.Route> DELIVERY = new Setting<>(
            "DELIVERY",
            SettingType.oneOf(Settings.Delivery.Route.class),
            Default.of("sandbox", "direct"),
            "sandbox captures mail for other hosts and never sends it, relay sends it to a relay, direct to MX hosts.");
    static final Setting<RelayServer> RELAY = new Setting<>(
            "RELAY",
            SettingTypes.RELAY,
            derived("none"),
            "The server for outgoing mail; setting it means delivery by relay.");
    public static final Setting<List<HostPort>> DNS_SERVERS = new Setting<>(
            "DNS_SERVERS",
            SettingTypes.DNS_SERVER.list(),
            derived("the system's"),
            "The DNS servers for every lookup.");
    static final Setting<Integer> OUTBOUND_SMTP_PORT = new Setting<>(
            "OUTBOUND_SMTP_PORT", SettingType.PORT, Default.of("25"), "The port of other servers in direct delivery.");
    static final Setting<Boolean> DANE = new Setting<>(
            "DANE",
            SettingType.SWITCH,
            Default.of("off"),
            "Whether the given DNS servers validate DNSSEC, so that TLSA records of mail hosts apply.");
    static final Setting<Path> OUTBOUND_CA = new Setting<>(
            "OUTBOUND_CA",
            SettingType.PATH,
            derived("the platform's only"),
            "Further trusted authorities, in PEM, for certificates of a relay or mail host.");
    static final Setting<Path> TLS_CERT = new Setting<>(
            "TLS_CERT",
            SettingType.PATH,
            derived("self-signed, generated"),
            "Certificate chain in PEM, read again when the file changes.");
    static final Setting<Path> TLS_KEY =
            new Setting<>("TLS_KEY", SettingType.PATH, derived("generated"), "Its private key in PEM.");
    static final Setting<Boolean> HTTP_TLS = new Setting<>(
            "HTTP_TLS",
            SettingType.SWITCH,
            Default.of("off"),
            "Whether HTTP is served as HTTPS with that certificate; a proxy usually does it.");
    public static final Setting<List<Secret>> SECRET_KEY = new Setting<>(
            "SECRET_KEY",
            SettingTypes.SECRET_KEY.list(),
            derived("generated into the data folder in dev, must be given in production"),
            "Master key for secrets at rest, the newest first while rotating.");
    static final Setting<Settings.SignUp> SIGNUP = new Setting<>(
            "SIGNUP",
            SettingType.oneOf(Settings.SignUp.class),
            Default.of("open", "closed"),
            "Who may create an organization by agent sign-up.");
    static final Setting<Secret> SIGNUP_TOKEN = new Setting<>(
            "SIGNUP_TOKEN",
            SettingTypes.SIGNUP_TOKEN,
            derived("none"),
            "The X-Signup-Token that agents must send when sign-up is by token.");
    static final Setting<Settings.PrivateTargets> PRIVATE_TARGETS = new Setting<>(
            "PRIVATE_TARGETS",
            SettingType.oneOf(Settings.PrivateTargets.class),
            Default.of("allow", "deny"),
            "Whether webhooks, attachments by URL and outgoing mail may reach private addresses.");
    static final Setting<Settings.Limits> LIMITS = new Setting<>(
            "LIMITS",
            SettingTypes.LIMITS,
            Default.of("off", "on"),
            "Rates and quotas: off, on, or on with some of them changed.");
    static final Setting<Boolean> LABS = new Setting<>(
            "LABS",
            SettingType.SWITCH,
            Default.of("on"),
            "Whether organizations can use the calls of experimental features.");
    static final Setting<Boolean> CALENDARS = new Setting<>(
            "CALENDARS",
            SettingType.SWITCH,
            Default.of("on"),
            "Whether inboxes have calendars; off keeps what is there.");
    static final Setting<Boolean> CALENDAR_REQUIRE_IF_MATCH = new Setting<>(
            "CALENDAR_REQUIRE_IF_MATCH",
            SettingType.SWITCH,
            Default.of("off"),
            "Whether changes of calendars must name the state they are made to, in If-Match.");
    static final Setting<Long> MAX_MESSAGE = new Setting<>(
            "MAX_MESSAGE", SettingType.SIZE, Default.of("40MiB"), "The largest message received or sent.");
    static final Setting<Integer> MAX_RECEIVED = new Setting<>(
            "MAX_RECEIVED",
            SettingTypes.HOPS,
            Default.of("50"),
            "The number of Received fields at which a message counts as looping and is refused.");
    static final Setting<Boolean> AUTO_REPLY_LABEL = new Setting<>(
            "AUTO_REPLY_LABEL",
            SettingType.SWITCH,
            Default.of("on"),
            "Whether automatic mail gets the label auto-reply.");
    static final Setting<String> OPERATOR_INBOX = new Setting<>(
            "OPERATOR_INBOX", SettingType.ADDRESS, derived("captured"), "The inbox for mail to postmaster and abuse.");
    /** Names of the retention times, in the order of help. */
    public static final List<String> RETENTION_NAMES = List.of(("audit boundaries claims deliveries dropped events"
                    + " idempotency letters metrics payments polling redeliveries requests send_counts sessions"
                    + " submissions")
            .split(" "));

    static final Setting<Map<String, Duration>> RETENTION = new Setting<>(
            "RETENTION",
            SettingTypes.retention(RETENTION_NAMES),
            derived("the times in docs/operating.md"),
            "How long data is kept, by kind.");
    static final Setting<URI> SPAM_URL = new Setting<>(
            "SPAM_URL", SettingType.WEB_URL, derived("the built-in classifier"), "HTTP address of an Rspamd.");
    static final Setting<HostPort> CLAMAV =
            new Setting<>("CLAMAV", SettingTypes.CLAMD, derived("none"), "A clamd that scans mail for viruses.");
    static final Setting<Settings.LogFormat> LOG = new Setting<>(
            "LOG", SettingType.oneOf(Settings.LogFormat.class), Default.of("text", "json"), "The form of log lines.");
    static final Setting<Settings.LogAddresses> LOG_ADDRESSES = new Setting<>(
            "LOG_ADDRESSES",
            SettingType.oneOf(Settings.LogAddresses.class),
            Default.of("full"),
            "Email addresses in log lines: full, or hashed with a key, so that equal ones are equal.");
    static final Setting<Duration> DRAIN = new Setting<>(
            "DRAIN",
            SettingTypes.SECONDS,
            Default.of("0s", "10s"),
            "How long a stop goes on to serve, with 503 from /healthz, before it takes no more.");

    /** All settings, in the order of help. */
    public static final List<Setting<?>> ALL = List.of(
            MODE,
            DATA_DIR,
            HTTP_PORT,
            SMTP_PORT,
            SUBMISSION_PORT,
            AdminSettings.PORT,
            AdminSettings.BIND,
            AdminSettings.HOSTS,
            AdminSettings.TOKEN,
            BIND,
            PUBLIC_URL,
            TRUSTED_PROXIES,
            SMTP_PROXIES,
            CORS_ORIGINS,
            HTTP_IDLE,
            DOMAIN,
            MX_HOST,
            BOUNCE_HOST,
            SPF_HOST,
            TRACKING_HOST,
            DATABASE_URL,
            BLOB_URL,
            DELIVERY,
            RELAY,
            DNS_SERVERS,
            DANE,
            OUTBOUND_SMTP_PORT,
            OUTBOUND_CA,
            TLS_CERT,
            TLS_KEY,
            HTTP_TLS,
            SECRET_KEY,
            ConsoleSettings.ACCESS,
            ConsoleSettings.CONTENT_URL,
            SIGNUP,
            SIGNUP_TOKEN,
            PRIVATE_TARGETS,
            LIMITS,
            LABS,
            CALENDARS,
            CALENDAR_REQUIRE_IF_MATCH,
            APPS_FILE,
            PaymentSettings.X402_HOST,
            PaymentSettings.MPP_HOST,
            PaymentSettings.X402_WS_HOST,
            PaymentSettings.MPP_WS_HOST,
            PaymentSettings.FACILITATOR,
            PaymentSettings.FACILITATOR_HEADERS,
            PaymentSettings.PROOF_FACILITATOR,
            PaymentSettings.FILE,
            ScreenSettings.MODE,
            ScreenSettings.URL,
            ScreenSettings.REQUIRED,
            MAX_MESSAGE,
            MAX_RECEIVED,
            AUTO_REPLY_LABEL,
            OPERATOR_INBOX,
            RETENTION,
            SPAM_URL,
            CLAMAV,
            LOG,
            LOG_ADDRESSES,
            TelemetrySettings.ENDPOINT,
            TelemetrySettings.HEADERS,
            TelemetrySettings.SAMPLING,
            TelemetrySettings.INTERVAL,
            DRAIN);

    /** Variables with our prefix that the launcher reads. */
    static final Set<String> OF_THE_LAUNCHER =
            Set.of("INBOXD_MEMORY", "INBOXD_JAVA_OPTS", "INBOXD_URL", "INBOXD_KEY", "INBOXD_INSECURE");

    private SettingTable() {}
}
