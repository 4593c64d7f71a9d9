package dev.inboxd.config;

import dev.inboxd.config.Setting.Default;
import dev.inboxd.net.RequestHeader;
import dev.inboxd.payment.offer.PaymentsUse.FacilitatorKind;
import dev.inboxd.payment.offer.ServiceUrl;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The hosts at which a call is paid for in place of a key, and who verifies and settles the payments.
 *
 * @param x402 the host of x402; there is no such variant without it
 * @param mpp the host of MPP; there is no such variant without it
 * @param x402Sockets a further host for the sockets of x402
 * @param mppSockets a further host for the sockets of MPP
 * @param facilitator the facilitator
 * @param proofFacilitator the base of another one, which judges proofs; the facilitator does when absent
 * @param file offers and prices; those of development when absent
 */
public record PaymentSettings(
        Optional<PaymentHost> x402,
        Optional<PaymentHost> mpp,
        Optional<PaymentHost> x402Sockets,
        Optional<PaymentHost> mppSockets,
        Facilitator facilitator,
        Optional<URI> proofFacilitator,
        Optional<Path> file) {
    private static final String DEVELOPMENT = "development";

    static final SettingType<PaymentHost> HOST =
            SettingType.of("a host name such as x402.example.com, with a port if need be", PaymentHost::parse);

    static final Setting<PaymentHost> X402_HOST = new Setting<>(
            "X402_HOST",
            HOST,
            Default.derived("none: there is no such variant"),
            "The host at which calls are paid for by x402, with a port where it is not the public URL's.");
    static final Setting<PaymentHost> MPP_HOST = new Setting<>(
            "MPP_HOST",
            HOST,
            Default.derived("none: there is no such variant"),
            "The host at which calls are paid for by MPP, with a port where it is not the public URL's.");
    static final Setting<PaymentHost> X402_WS_HOST = new Setting<>(
            "X402_WS_HOST",
            HOST,
            Default.derived("none: sockets are at the variant's own host"),
            "A further host of x402 for WebSockets alone.");
    static final Setting<PaymentHost> MPP_WS_HOST = new Setting<>(
            "MPP_WS_HOST",
            HOST,
            Default.derived("none: sockets are at the variant's own host"),
            "A further host of MPP for WebSockets alone.");
    static final Setting<Optional<URI>> FACILITATOR = new Setting<>(
            "X402_FACILITATOR",
            SettingType.of(
                    DEVELOPMENT + ", or " + SettingType.WEB_URL.allowed(),
                    text -> text.equals(DEVELOPMENT)
                            ? Optional.empty()
                            : Optional.of(SettingType.WEB_URL.parser().apply(text))),
            new Default(DEVELOPMENT, "", DEVELOPMENT + " in dev, must be given in production for what it is to verify"),
            "Who verifies and settles payments: the base of an x402 facilitator, or development, which says yes to"
                    + " everything and moves no money.");
    static final Setting<Map<String, Secret>> FACILITATOR_HEADERS = new Setting<>(
            "X402_FACILITATOR_HEADERS",
            SettingType.secret("name=value,… with percent-encoded values", PaymentSettings::headers),
            Default.derived("none"),
            "Header fields of each request to the facilitator, such as a key.");
    static final Setting<URI> PROOF_FACILITATOR = new Setting<>(
            "X402_PROOF_FACILITATOR",
            SettingType.WEB_URL,
            Default.derived("the facilitator"),
            "The base of another facilitator, which judges payments of nothing; some refuse small amounts.");
    static final Setting<Path> FILE = new Setting<>(
            "PAYMENTS_FILE",
            SettingType.PATH,
            Default.derived("an offer on a test network in dev, must be given in production with either host"),
            "A file in YAML with offers and prices, read again when it changes.");

    /**
     * The facilitator.
     *
     * @param kind which one there is
     * @param url its base; empty unless it is the operator's
     * @param headers of each request to it
     */
    public record Facilitator(FacilitatorKind kind, Optional<URI> url, Map<String, Secret> headers) {
        public Facilitator {
            headers = Map.copyOf(headers);
        }
    }

    /** The names of all hosts at which calls are paid for. */
    public List<String> hosts() {
        return Stream.of(x402, mpp, x402Sockets, mppSockets)
                .flatMap(Optional::stream)
                .map(PaymentHost::name)
                .toList();
    }

    static PaymentSettings read(SettingValues values) {
        Optional<Optional<URI>> chosen = values.find(FACILITATOR);
        FacilitatorKind kind = chosen.map(
                        url -> url.isPresent() ? FacilitatorKind.OPERATOR : FacilitatorKind.DEVELOPMENT)
                .orElse(FacilitatorKind.NONE);
        return new PaymentSettings(
                values.find(X402_HOST),
                values.find(MPP_HOST),
                values.find(X402_WS_HOST),
                values.find(MPP_WS_HOST),
                new Facilitator(
                        kind,
                        chosen.flatMap(url -> url),
                        values.find(FACILITATOR_HEADERS).orElse(Map.of())),
                values.find(PROOF_FACILITATOR),
                values.find(FILE));
    }

    /** Adds the faults of settings that do not go together. */
    static void check(SettingValues values) {
        boolean production = values.find(SettingTable.MODE).equals(Optional.of(Settings.Mode.PRODUCTION));
        hosts(values);
        needs(values, X402_WS_HOST, X402_HOST);
        needs(values, MPP_WS_HOST, MPP_HOST);
        Optional<URI> facilitator = values.find(FACILITATOR).flatMap(url -> url);
        facilitator.ifPresent(url -> url(values, FACILITATOR, url, production));
        values.find(PROOF_FACILITATOR).ifPresent(url -> url(values, PROOF_FACILITATOR, url, production));
        if (values.isGiven(FACILITATOR_HEADERS) && facilitator.isEmpty()) {
            values.fault("INBOXD_X402_FACILITATOR_HEADERS is set, which needs INBOXD_X402_FACILITATOR: "
                    + SettingType.WEB_URL.allowed());
        }
        if (production) {
            production(values);
        }
    }

    private static void needs(SettingValues values, Setting<?> setting, Setting<?> needed) {
        if (values.isGiven(setting) && !values.isGiven(needed)) {
            values.fault(setting.variable() + " is \"" + values.shown(setting) + "\", which needs " + needed.variable()
                    + ": " + needed.form().allowed());
        }
    }

    private static void url(SettingValues values, Setting<?> setting, URI url, boolean production) {
        String fault = ServiceUrl.fault(url, production);
        if (fault != null) {
            values.fault(setting.variable() + " is \"" + url + "\", " + fault);
        }
    }

    /** The name alone tells one host from another, so no two things have one name. */
    private static void hosts(SettingValues values) {
        List<Setting<PaymentHost>> own = List.of(X402_HOST, MPP_HOST, X402_WS_HOST, MPP_WS_HOST);
        for (int i = 0; i < own.size(); i++) {
            Setting<PaymentHost> setting = own.get(i);
            Optional<String> name = values.find(setting).map(PaymentHost::name);
            Stream<Setting<PaymentHost>> before = own.subList(0, i).stream();
            name.ifPresent(hostName -> {
                before.filter(earlier ->
                                values.find(earlier).map(PaymentHost::name).equals(name))
                        .forEach(
                                earlier -> rejectDuplicate(values, setting, hostName, "that of " + earlier.variable()));
                others(values).forEach((what, names) -> {
                    if (names.contains(hostName)) {
                        rejectDuplicate(values, setting, hostName, what);
                    }
                });
                if (hostName.startsWith("link.")) {
                    rejectDuplicate(values, setting, hostName, "one of pixels, as every name that begins with link.");
                }
            });
        }
    }

    private static void rejectDuplicate(SettingValues values, Setting<?> setting, String name, String whose) {
        values.fault(setting.variable() + " is \"" + name + "\", which is " + whose
                + "; give it a name of its own, by which the server tells who pays");
    }

    /** The names of everything else, by whose they are. */
    private static Map<String, List<String>> others(SettingValues values) {
        Map<String, List<String>> others = new LinkedHashMap<>();
        others.put("the host of INBOXD_PUBLIC_URL", host(values.find(SettingTable.PUBLIC_URL)));
        others.put("the host of INBOXD_CONTENT_URL", host(values.find(ConsoleSettings.CONTENT_URL)));
        others.put(
                "that of INBOXD_TRACKING_HOST",
                values.find(SettingTable.TRACKING_HOST).map(List::of).orElse(List.of()));
        List<String> admin = new ArrayList<>(values.find(AdminSettings.HOSTS).orElse(List.of()));
        admin.addAll(List.of("localhost", "127.0.0.1", values.shown(AdminSettings.BIND)));
        others.put("a host of the admin port", admin);
        return others;
    }

    private static List<String> host(Optional<URI> url) {
        return url.map(URI::getHost)
                .map(host -> host.toLowerCase(Locale.ROOT))
                .map(List::of)
                .orElse(List.of());
    }

    private static void production(SettingValues values) {
        if (values.find(FACILITATOR).filter(Optional::isEmpty).isPresent()) {
            values.fault("INBOXD_X402_FACILITATOR is \"development\", which checks nothing and moves no money;"
                    + " production needs the URL of a facilitator");
        }
        if (values.isGiven(X402_HOST) && !values.isGiven(FACILITATOR)) {
            values.fault("INBOXD_X402_FACILITATOR must be set in production with INBOXD_X402_HOST; allowed: "
                    + SettingType.WEB_URL.allowed());
        }
        Stream.of(X402_HOST, MPP_HOST)
                .filter(values::isGiven)
                .findFirst()
                .filter(_ -> !values.isGiven(FILE))
                .ifPresent(host -> values.fault("INBOXD_PAYMENTS_FILE must be set in production with " + host.variable()
                        + "; allowed: " + FILE.form().allowed() + " of a file with offers and prices"));
    }

    /** The form of INBOXD_OTLP_HEADERS, without what frames a request. */
    private static Map<String, Secret> headers(String text) {
        Map<String, Secret> headers = TelemetrySettings.headers(text);
        headers.forEach((name, value) -> {
            var _ = new RequestHeader(name, value.value());
        });
        return headers;
    }
}
