package dev.inboxd.config;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** Forms that one setting has. */
final class SettingForms {
    static final int OFF = -1;

    static final Form<Integer> PORT_OR_OFF = Form.of(
            "a port from 1 to 65535, or off",
            text -> text.equals("off") ? OFF : Form.PORT.parser().apply(text));
    static final Form<String> NETWORK = Form.of("an IP address or a network such as 10.0.0.0/8", SettingForms::network);
    static final Form<String> ORIGIN = Form.of("an origin such as https://app.example.com", SettingForms::origin);
    static final Form<HostPort> DNS_SERVER = Form.of("host or host:port", text -> HostPort.parse(text, 53));
    static final Form<HostPort> CLAMD = Form.of("host or host:port", text -> HostPort.parse(text, 3310));
    static final Form<Relay> RELAY = Form.secret(
            "smtp://user:password@host:port or smtps://…, with ?tls=required if a login does not imply it",
            Relay::parse);
    static final Form<ExternalDatabase> DATABASE = Form.secret(
            "postgres://user:password@host:port/database or a jdbc:postgresql: URL", ExternalDatabase::parse);
    static final Form<Integer> HOPS =
            Form.of("a number from 10 to 1000", text -> Form.between(10, 1000, Integer.parseInt(text)));
    static final Form<URI> BLOBS = Form.of("file:/path or s3://bucket/prefix?endpoint=…", SettingForms::blobs);
    static final Form<Secret> SECRET_KEY =
            Form.secret("32 or more random characters (make one with: openssl rand -hex 32)", SettingForms::secretKey);
    static final Form<Secret> SIGNUP_TOKEN =
            Form.secret("16 or more visible ASCII characters", SettingForms::signUpToken);
    static final Form<Settings.Limits> LIMITS = Form.of(
            "off, on or name=number,… with the names " + String.join(", ", Settings.Limits.NAMES),
            SettingForms::limits);
    static final Form<Duration> DAYS = Form.of("a number of days such as 30d", SettingForms::days);

    private static final Form<Map<String, Integer>> COUNTS =
            Form.pairs(Settings.Limits.NAMES, Form.of("a number", SettingForms::count));
    private static final int LEAST_KEY_LENGTH = 32;
    private static final int LEAST_KEY_VARIETY = 8;
    private static final int LEAST_TOKEN_LENGTH = 16;

    private SettingForms() {}

    private static String network(String text) {
        int slash = text.indexOf('/');
        InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
        if (slash >= 0) {
            Form.between(0, address.getAddress().length * Byte.SIZE, Integer.parseInt(text.substring(slash + 1)));
        }
        return text;
    }

    /** RFC 6454 §6.2: scheme, host and port, nothing else. */
    private static String origin(String text) {
        URI uri = Form.WEB_URL.parser().apply(text);
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

    /** RFC 9110 §5.5: what a header field can carry without doubt. */
    private static Secret signUpToken(String text) {
        if (text.length() < LEAST_TOKEN_LENGTH || !text.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
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
        return Form.between(0, Integer.MAX_VALUE, Integer.parseInt(text));
    }

    private static Duration days(String text) {
        if (!text.endsWith("d")) {
            throw new IllegalArgumentException(text);
        }
        return Duration.ofDays(Form.between(1, 36_500, Integer.parseInt(text.substring(0, text.length() - 1))));
    }
}
