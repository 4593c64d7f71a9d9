package dev.inboxd.config;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Types that a single setting has. */
final class SettingTypes {
    static final int OFF = -1;

    static final SettingType<Integer> PORT_OR_OFF = SettingType.of(
            "a port from 1 to 65535, or off",
            text -> text.equals("off") ? OFF : SettingType.PORT.parser().apply(text));
    static final SettingType<String> NETWORK =
            SettingType.of("an IP address or a network such as 10.0.0.0/8", SettingTypes::network);
    static final SettingType<String> ORIGIN =
            SettingType.of("an origin such as https://app.example.com", SettingTypes::origin);
    static final SettingType<HostPort> DNS_SERVER =
            SettingType.of("host or host:port", text -> HostPort.parse(text, 53));
    static final SettingType<HostPort> CLAMD = SettingType.of("host or host:port", text -> HostPort.parse(text, 3310));
    static final SettingType<RelayServer> RELAY = SettingType.url(
            "smtp://user:password@host:port or smtps://…, with ?tls=required if a login does not imply it",
            RelayServer::parse);
    static final SettingType<ExternalDatabase> DATABASE = SettingType.url(
            "postgres://user:password@host:port/database or a jdbc:postgresql: URL", ExternalDatabase::parse);
    static final SettingType<Integer> HOPS =
            SettingType.of("a number from 10 to 1000", text -> SettingType.between(10, 1000, Integer.parseInt(text)));
    static final SettingType<URI> BLOBS =
            SettingType.of("file:/path or s3://bucket/prefix?endpoint=…", SettingTypes::blobs);
    static final SettingType<Secret> SECRET_KEY = SettingType.secret(
            "32 or more random characters (make one with: openssl rand -hex 32)", SettingTypes::secretKey);
    static final SettingType<Secret> SIGNUP_TOKEN =
            SettingType.secret("16 or more visible ASCII characters", SettingTypes::signUpToken);
    static final SettingType<Secret> ADMIN_TOKEN =
            SettingType.secret("32 or more visible ASCII characters", SettingTypes::adminToken);
    static final SettingType<Settings.Limits> LIMITS = SettingType.of(
            "off, on or name=number,… with the names " + String.join(", ", Settings.Limits.NAMES),
            SettingTypes::limits);
    static final SettingType<Duration> SECONDS =
            SettingType.of("a number of seconds up to 600 such as 10s", text -> seconds(0, text));
    static final SettingType<Duration> IDLE_SECONDS =
            SettingType.of("a number of seconds from 5 to 600 such as 75s", text -> seconds(5, text));
    static final SettingType<Duration> DAYS = SettingType.of("a number of days such as 30d", SettingTypes::days);

    private static final SettingType<Map<String, Integer>> COUNTS =
            SettingType.pairs(Settings.Limits.NAMES, SettingType.of("a number", SettingTypes::count));
    private static final Duration LEAST_ASKED_ABOUT = Duration.ofDays(121);
    /** What is kept at least so long: metrics are asked about, and payments are argued about. */
    private static final Map<String, Duration> LEAST_KEPT =
            Map.of("events", LEAST_ASKED_ABOUT, "metrics", LEAST_ASKED_ABOUT, "payments", Duration.ofDays(90));

    private static final int LEAST_KEY_LENGTH = 32;
    private static final int LEAST_KEY_VARIETY = 8;
    private static final int LEAST_TOKEN_LENGTH = 16;
    private static final int LEAST_ADMIN_TOKEN_LENGTH = 32;

    private SettingTypes() {}

    /** Times by name. Metrics are asked about 90 days, and about rates of the 30 days before each. */
    static SettingType<Map<String, Duration>> retention(List<String> names) {
        SettingType<Map<String, Duration>> times = SettingType.pairs(names, DAYS);
        return SettingType.of(times.allowed() + "; events and metrics at least 121d, payments at least 90d", text -> {
            Map<String, Duration> periods = times.parser().apply(text);
            LEAST_KEPT.forEach((name, least) -> {
                if (least.compareTo(periods.getOrDefault(name, least)) > 0) {
                    throw new IllegalArgumentException(text);
                }
            });
            return periods;
        });
    }

    private static String network(String text) {
        int slash = text.indexOf('/');
        InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
        if (slash >= 0) {
            SettingType.between(
                    0, address.getAddress().length * Byte.SIZE, Integer.parseInt(text.substring(slash + 1)));
        }
        return text;
    }

    /** Checks an origin: scheme, host and port, nothing else (RFC 6454 §6.2). */
    private static String origin(String text) {
        URI uri = SettingType.WEB_URL.parser().apply(text);
        if (!uri.getRawPath().isEmpty()) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    private static URI blobs(String text) {
        URI uri = URI.create(text);
        boolean files = "file".equals(uri.getScheme())
                && uri.getPath() != null
                && uri.getPath().startsWith("/");
        boolean bucket = "s3".equals(uri.getScheme()) && uri.getAuthority() != null && uri.getRawUserInfo() == null;
        if (!files && !bucket) {
            throw new IllegalArgumentException(text);
        }
        return uri;
    }

    private static Secret secretKey(String text) {
        if (text.length() < LEAST_KEY_LENGTH || text.chars().distinct().count() < LEAST_KEY_VARIETY) {
            throw new IllegalArgumentException("too short or too simple");
        }
        return new Secret(text);
    }

    /** Checks a sign-up token: characters that every header field can carry (RFC 9110 §5.5). */
    private static Secret signUpToken(String text) {
        return token(text, LEAST_TOKEN_LENGTH);
    }

    private static Secret adminToken(String text) {
        return token(text, LEAST_ADMIN_TOKEN_LENGTH);
    }

    private static Secret token(String text, int least) {
        if (text.length() < least || !text.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException("too short, or not visible ASCII");
        }
        return new Secret(text);
    }

    private static Settings.Limits limits(String text) {
        return switch (text) {
            case "off" -> new Settings.Limits(false, Map.of());
            case "on" -> new Settings.Limits(true, Map.of());
            default -> new Settings.Limits(true, COUNTS.parser().apply(text));
        };
    }

    private static int count(String text) {
        return SettingType.between(0, Integer.MAX_VALUE, Integer.parseInt(text));
    }

    private static Duration seconds(int least, String text) {
        String number = text.endsWith("s") ? text.substring(0, text.length() - 1) : text;
        return Duration.ofSeconds(SettingType.between(least, 600, Integer.parseInt(number)));
    }

    private static Duration days(String text) {
        if (!text.endsWith("d")) {
            throw new IllegalArgumentException(text);
        }
        return Duration.ofDays(SettingType.between(1, 36_500, Integer.parseInt(text.substring(0, text.length() - 1))));
    }
}
