package dev.inboxd.config;

import dev.inboxd.platform.rate.Rates;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.smtp.server.UpstreamProxies;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Everything that can be set, read once at the start from variables {@code INBOXD_…} and the flags of {@code serve}.
 * Meaning and default of each are in the table behind {@code inboxd help serve}.
 *
 * @param mode for whom the service runs
 * @param dataDirectory embedded database, blobs, generated keys; absolute
 * @param network where it listens
 * @param names under which names it is known
 * @param storage where rows and bytes are kept
 * @param delivery how mail leaves
 * @param tls its certificate
 * @param policy what users may do
 * @param log the form of log lines
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
        LogFormat log) {

    /** For whom the service runs. */
    public enum Mode {
        DEV,
        PRODUCTION
    }

    /** The form of log lines. */
    public enum LogFormat {
        TEXT,
        JSON
    }

    /** Who may make an organization by agent sign-up. */
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
     * Where it listens.
     *
     * @param bind the address of the ports for mail
     * @param httpBind the address of HTTP: the same, or loopback where HTTP without TLS must not leave this machine
     * @param httpPort 0 for any free one
     * @param smtpPort 0 for any free one
     * @param submissionPort 0 for any free one
     * @param adminPort on loopback; none when it is off
     * @param trustedProxies addresses and networks in CIDR form
     * @param smtpProxies how those tell for whom they speak over SMTP
     * @param corsOrigins origins as browsers send them
     */
    public record Network(
            InetAddress bind,
            InetAddress httpBind,
            int httpPort,
            int smtpPort,
            int submissionPort,
            OptionalInt adminPort,
            List<String> trustedProxies,
            UpstreamProxies.Mode smtpProxies,
            List<String> corsOrigins) {
        public Network {
            trustedProxies = List.copyOf(trustedProxies);
            corsOrigins = List.copyOf(corsOrigins);
        }
    }

    /**
     * Under which names it is known. Host names are in lower case.
     *
     * @param publicUrl base of links, without a slash at its end; none in dev when it follows from the HTTP port
     * @param domain the domain of inboxes that name none
     * @param mxHost this server
     * @param bounceHost where bounces of customers' domains go
     * @param spfHost what customers' SPF records include
     * @param trackingHost where the pixels of tracked mail are served; none when opens are not tracked from the domain
     */
    public record Names(
            Optional<URI> publicUrl,
            String domain,
            String mxHost,
            String bounceHost,
            String spfHost,
            Optional<String> trackingHost) {}

    /**
     * Where rows and bytes are kept.
     *
     * @param database none for the embedded one
     * @param blobs {@code file:} or {@code s3:}
     * @param secretKeys master keys, the newest first; empty when one is to be generated
     * @param retention how long things are kept, by name, where it differs from the documented time
     */
    public record Storage(
            Optional<ExternalDatabase> database, URI blobs, List<Secret> secretKeys, Map<String, Duration> retention) {
        public Storage {
            secretKeys = List.copyOf(secretKeys);
            retention = Map.copyOf(retention);
        }
    }

    /**
     * How mail leaves.
     *
     * @param way the way
     * @param relay given when the way is {@link Route#RELAY}
     * @param outboundSmtpPort the port of other servers in direct delivery
     * @param dnsServers asked for every lookup; empty for the system's
     * @param dane whether those servers validate, and their word on certificates of mail hosts counts
     * @param authorities certificates in PEM of authorities that mail hosts may have theirs from, beside the platform's
     */
    public record Delivery(
            Route way,
            Optional<RelayServer> relay,
            int outboundSmtpPort,
            List<HostPort> dnsServers,
            boolean dane,
            Optional<Path> authorities) {
        /** Captured and never sent, handed to one server, or sent to the recipients' own servers. */
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
     * Its certificate.
     *
     * @param certificate PEM chain, given together with the key; a self-signed one is generated when there is none
     * @param key PEM private key
     * @param http whether HTTP is served as HTTPS
     */
    public record Tls(Optional<Path> certificate, Optional<Path> key, boolean http) {}

    /**
     * What users may do.
     *
     * @param signUp who may make an organization
     * @param signUpToken given when that is by {@link SignUp#TOKEN}
     * @param privateTargets whether private addresses may be reached
     * @param limits rates and quotas
     * @param labs whether organizations can use what is still tried out
     * @param maxMessage the largest message from other servers or to be sent, in bytes
     * @param maxReceived with so many Received fields a message is in a loop
     * @param autoReplyLabel whether mail that no person wrote is labelled
     * @param operatorInbox where mail to postmaster and abuse goes; captured when there is none
     * @param rspamd the built-in classifier when there is none
     * @param clamav no search for viruses when there is none
     */
    public record Policy(
            SignUp signUp,
            Optional<Secret> signUpToken,
            PrivateTargets privateTargets,
            Limits limits,
            boolean labs,
            long maxMessage,
            int maxReceived,
            boolean autoReplyLabel,
            Optional<String> operatorInbox,
            Optional<URI> rspamd,
            Optional<HostPort> clamav) {}

    /**
     * Rates and quotas.
     *
     * @param enforced whether there are any
     * @param changed numbers, by name, where they differ from the documented ones
     */
    public record Limits(boolean enforced, Map<String, Integer> changed) {
        /** What can be limited. */
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
                                StorageQuota.MEGABYTES,
                                StorageQuota.MESSAGES),
                        Rates.NAMES.stream())
                .toList();

        public Limits {
            changed = Map.copyOf(changed);
        }

        /**
         * How much is allowed of something; no bound when nothing is enforced.
         *
         * @param name how the setting names it
         * @param contract the documented number
         */
        public int of(String name, int contract) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(name + " is missing among the names that the setting knows");
            }
            return enforced ? changed.getOrDefault(name, contract) : Integer.MAX_VALUE;
        }
    }

    /**
     * Reads all settings.
     *
     * @param environment the variables of the process
     * @param flags values by flag, such as {@code --http-port}; they win over variables
     * @throws SettingsException listing every unknown name, wrong value and unsafe choice
     */
    public static Settings read(Map<String, String> environment, Map<String, String> flags) {
        return SettingsReader.read(new SettingValues(environment, flags));
    }
}
