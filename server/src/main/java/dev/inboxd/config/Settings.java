package dev.inboxd.config;

import dev.inboxd.base.rate.Rates;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.smtp.server.UpstreamProxies;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings, read once at the start from variables {@code INBOXD_…} and the options of {@code serve}. Meaning and
 * default of each are in {@link SettingTable} and in {@code inboxd help serve}.
 *
 * @param mode dev or production
 * @param dataDirectory embedded database, blobs, generated keys; absolute
 * @param network listeners and trusted proxies
 * @param names domain and host names of the service
 * @param storage database, blobs, keys, retention
 * @param delivery route of outgoing mail
 * @param tls certificate of the service
 * @param policy limits and features
 * @param appsFile registers third-party apps; none when absent
 * @param console the pages for people
 * @param payments the hosts at which calls are paid for
 * @param telemetry traces and metrics for other programs
 * @param log the form of log lines
 * @param logAddresses how email addresses are shown in them
 * @param drain how long a stop goes on to serve
 */
public record Settings(
        Mode mode,
        Path dataDirectory,
        Network network,
        Names names,
        Storage storage,
        Delivery delivery,
        Tls tls,
        Policy policy,
        Optional<Path> appsFile,
        ConsoleSettings console,
        PaymentSettings payments,
        TelemetrySettings telemetry,
        LogFormat log,
        LogAddresses logAddresses,
        Duration drain) {

    /** Dev for one machine on loopback, production for others. */
    public enum Mode {
        DEV,
        PRODUCTION
    }

    /** The form of log lines. */
    public enum LogFormat {
        TEXT,
        JSON
    }

    /** How email addresses are shown in log lines. */
    public enum LogAddresses {
        FULL,
        HASHED
    }

    /** Who may create an organization by agent sign-up. */
    public enum SignUp {
        OPEN,
        TOKEN,
        CLOSED
    }

    /** Whether webhooks and attachments by URL may reach private addresses. */
    public enum PrivateTargets {
        ALLOW,
        DENY
    }

    /**
     * The listeners.
     *
     * @param bind address of the SMTP and submission listeners
     * @param httpBind address of HTTP: the same, or loopback where HTTP without TLS must not leave this machine
     * @param httpPort 0 for any free port
     * @param smtpPort 0 for any free port
     * @param submissionPort 0 for any free port
     * @param trustedProxies addresses and networks in CIDR form
     * @param smtpProxies how trusted proxies name their clients over SMTP
     * @param corsOrigins origins as browsers send them
     * @param httpIdle how long a connection without a request is kept
     * @param admin the operator's port
     */
    public record Network(
            InetAddress bind,
            InetAddress httpBind,
            int httpPort,
            int smtpPort,
            int submissionPort,
            List<String> trustedProxies,
            UpstreamProxies.Mode smtpProxies,
            List<String> corsOrigins,
            Duration httpIdle,
            AdminSettings admin) {
        public Network {
            trustedProxies = List.copyOf(trustedProxies);
            corsOrigins = List.copyOf(corsOrigins);
        }
    }

    /**
     * The names of the service. Host names are in lower case.
     *
     * @param publicUrl base of links, without a slash at its end; empty in dev when it follows from the HTTP port
     * @param domain default domain of inboxes
     * @param mxHost host name of this server
     * @param bounceHost MX host for the bounces of customers' domains
     * @param spfHost the name that customers' SPF records include
     * @param trackingHost host of the tracking pixels in mail of the default domain; empty when opens are not tracked
     */
    public record Names(
            Optional<URI> publicUrl,
            String domain,
            String mxHost,
            String bounceHost,
            String spfHost,
            Optional<String> trackingHost) {}

    /**
     * The storage.
     *
     * @param database empty for the embedded one
     * @param blobs {@code file:} or {@code s3:}
     * @param secretKeys master keys, the newest first; empty when one is to be generated
     * @param retention retention times, by name, where they differ from the default
     */
    public record Storage(
            Optional<ExternalDatabase> database, URI blobs, List<Secret> secretKeys, Map<String, Duration> retention) {
        public Storage {
            secretKeys = List.copyOf(secretKeys);
            retention = Map.copyOf(retention);
        }
    }

    /**
     * The delivery of outgoing mail.
     *
     * @param way the route
     * @param relay given when the route is {@link Route#RELAY}
     * @param outboundSmtpPort the port of other servers in direct delivery
     * @param dnsServers for every lookup; empty for the system's
     * @param dane whether those servers validate DNSSEC, so that TLSA records count
     * @param authorities file with certificates in PEM of authorities trusted for mail hosts, beside the platform's
     */
    public record Delivery(
            Route way,
            Optional<RelayServer> relay,
            int outboundSmtpPort,
            List<HostPort> dnsServers,
            boolean dane,
            Optional<Path> authorities) {
        /**
         * The route: captured and never sent, sent to one relay, or sent to the MX hosts of the recipients' domains.
         */
        public enum Route {
            SANDBOX,
            RELAY,
            DIRECT
        }

        public Delivery {
            dnsServers = List.copyOf(dnsServers);
        }
    }

    /**
     * The TLS certificate of the service.
     *
     * @param certificate PEM chain, given together with the key; a self-signed one is generated when absent
     * @param key PEM private key
     * @param http whether HTTP is served as HTTPS
     */
    public record Tls(Optional<Path> certificate, Optional<Path> key, boolean http) {}

    /**
     * Limits and features.
     *
     * @param signUp who may create an organization
     * @param signUpToken given when sign-up is by {@link SignUp#TOKEN}
     * @param privateTargets whether private addresses may be reached
     * @param limits rates and quotas
     * @param labs whether organizations can use experimental features
     * @param calendars how calendars are served
     * @param screening how received mail is screened
     * @param maxMessage the largest message received or sent, in octets
     * @param maxReceived number of Received fields at which a message counts as looping
     * @param autoReplyLabel whether automatic mail is labelled
     * @param operatorInbox destination of mail to postmaster and abuse; captured when absent
     * @param rspamd URL of Rspamd; the built-in rules apply when absent
     * @param clamav address of clamd; no virus scan when absent
     */
    public record Policy(
            SignUp signUp,
            Optional<Secret> signUpToken,
            PrivateTargets privateTargets,
            Limits limits,
            boolean labs,
            Calendars calendars,
            ScreenSettings screening,
            long maxMessage,
            int maxReceived,
            boolean autoReplyLabel,
            Optional<String> operatorInbox,
            Optional<URI> rspamd,
            Optional<HostPort> clamav) {}

    /**
     * How calendars are served.
     *
     * @param enabled whether at all
     * @param requireIfMatch whether a change must name the state it is made to
     */
    public record Calendars(boolean enabled, boolean requireIfMatch) {}

    /**
     * Rates and quotas.
     *
     * @param enforced whether they apply
     * @param changed numbers, by name, that differ from the default
     */
    public record Limits(boolean enforced, Map<String, Integer> changed) {
        /** The names of the limits. */
        static final List<String> NAMES = Stream.concat(
                        Stream.of(
                                "api_keys",
                                "webhooks",
                                "polling_webhooks",
                                "inboxes",
                                "domains",
                                "pods",
                                "sends_per_day",
                                "sends_per_month",
                                "sends_per_day_unverified",
                                "sends_per_day_of_inbox",
                                "sends_per_thread",
                                "answers_to_machines",
                                "outbound_connections",
                                "outbound_per_minute",
                                "deliveries_per_target",
                                "downloads_per_target",
                                "payments_open",
                                StorageQuota.MEGABYTES,
                                StorageQuota.MESSAGES),
                        Rates.NAMES.stream())
                .toList();

        public Limits {
            changed = Map.copyOf(changed);
        }

        /**
         * The number of a limit; {@link Integer#MAX_VALUE} when limits are not enforced.
         *
         * @param name of the limit in the setting
         * @param defaultLimit the default number
         */
        public int of(String name, int defaultLimit) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(name + " is not a name of INBOXD_LIMITS");
            }
            return enforced ? changed.getOrDefault(name, defaultLimit) : Integer.MAX_VALUE;
        }
    }

    /**
     * Reads all settings.
     *
     * @param environment the variables of the process
     * @param flags values by option, such as {@code --http-port}; they take precedence over variables
     * @throws SettingsException listing every unknown name, invalid value and unsafe choice
     */
    public static Settings read(Map<String, String> environment, Map<String, String> flags) {
        return SettingsReader.read(new SettingValues(environment, flags));
    }
}
