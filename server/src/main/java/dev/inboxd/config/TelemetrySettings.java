package dev.inboxd.config;

import dev.inboxd.config.Setting.Default;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Traces and metrics for other programs, by OTLP over HTTP.
 *
 * @param endpoint the base of a collector's addresses; nothing is sent when absent
 * @param headers of each request to it
 * @param share of traces that are kept, 0 to 1
 * @param interval between two reports of the metrics
 */
public record TelemetrySettings(Optional<URI> endpoint, Map<String, Secret> headers, double share, Duration interval) {
    static final Setting<URI> ENDPOINT = new Setting<>(
            "OTLP_ENDPOINT",
            SettingType.WEB_URL,
            Default.derived("none: nothing is sent"),
            "A collector of OpenTelemetry (OTLP over HTTP), which gets traces and metrics.");
    static final Setting<Map<String, Secret>> HEADERS = new Setting<>(
            "OTLP_HEADERS",
            SettingType.secret("name=value,… with percent-encoded values", TelemetrySettings::headers),
            Default.derived("none"),
            "Header fields of each request to the collector, such as a key.");
    static final Setting<Double> SAMPLING = new Setting<>(
            "OTLP_SAMPLING",
            SettingType.of("a number from 0 to 1", TelemetrySettings::share),
            Default.of("1"),
            "The share of traces that are sent.");
    static final Setting<Duration> INTERVAL =
            new Setting<>("OTLP_INTERVAL", SettingTypes.SECONDS, Default.of("60s"), "How often the metrics are sent.");

    public TelemetrySettings {
        headers = Map.copyOf(headers);
    }

    static TelemetrySettings read(SettingValues values) {
        return new TelemetrySettings(
                values.find(ENDPOINT),
                values.find(HEADERS).orElse(Map.of()),
                values.get(SAMPLING),
                values.get(INTERVAL));
    }

    /** Adds the faults of settings that do not go together. */
    static void check(SettingValues values) {
        if (values.isGiven(HEADERS) && !values.isGiven(ENDPOINT)) {
            values.fault("INBOXD_OTLP_HEADERS is set, which needs INBOXD_OTLP_ENDPOINT: "
                    + ENDPOINT.form().allowed());
        }
        values.find(INTERVAL)
                .filter(Duration::isZero)
                .ifPresent(_ -> values.fault("INBOXD_OTLP_INTERVAL is \"" + values.shown(INTERVAL)
                        + "\"; allowed: a number of seconds from 1 to 600 such as 10s"));
        boolean production = values.find(SettingTable.MODE).equals(Optional.of(Settings.Mode.PRODUCTION));
        values.find(ENDPOINT)
                .filter(url -> production && values.isGiven(HEADERS))
                .filter(url -> "http".equals(url.getScheme()) && !isHere(url.getHost()))
                .ifPresent(url -> values.fault("INBOXD_OTLP_ENDPOINT is \"" + url + "\", so in production"
                        + " INBOXD_OTLP_HEADERS would be sent in clear text; use an https:// URL or a collector on"
                        + " this machine"));
    }

    private static boolean isHere(String host) {
        try {
            return host.equals("localhost") || InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException name) {
            return false;
        }
    }

    private static double share(String text) {
        double share = Double.parseDouble(text);
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(text);
        }
        return share;
    }

    /** The form of OTEL_EXPORTER_OTLP_HEADERS; a name is a token (RFC 9110 §5.6.2), a value visible characters. */
    static Map<String, Secret> headers(String text) {
        Map<String, Secret> headers = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            String name = pair.substring(0, Math.max(0, equals)).strip();
            String encoded = pair.substring(equals + 1).strip().replace("+", "%2B");
            String value = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
            if (!isToken(name) || value.isEmpty() || !value.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
                throw new IllegalArgumentException("not name=value");
            }
            headers.put(name, new Secret(value));
        }
        return headers;
    }

    private static boolean isToken(String name) {
        return !name.isEmpty()
                && name.chars().allMatch(c -> c < 0x7F && (Character.isLetterOrDigit(c) || c == '-' || c == '_'));
    }
}
