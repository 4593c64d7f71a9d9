package dev.inboxd.config;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The type of a setting's value.
 *
 * @param allowed the allowed values, in words that follow "allowed:"
 * @param parser parses a value; throws {@link IllegalArgumentException} for any other text
 * @param shown the text as messages may repeat it
 * @param <T> the Java type
 */
public record SettingType<T>(String allowed, Function<String, T> parser, UnaryOperator<String> shown) {
    static final SettingType<Integer> PORT =
            of("a port from 1 to 65535", text -> between(1, 65535, Integer.parseInt(text)));
    static final SettingType<Integer> PORT_OR_ANY =
            of("a port from 1 to 65535, or 0 for any free one", text -> between(0, 65535, Integer.parseInt(text)));
    static final SettingType<Path> PATH = of("a path", Path::of);
    static final SettingType<Boolean> SWITCH = of("on or off", text -> switch (text) {
        case "on" -> true;
        case "off" -> false;
        default -> throw new IllegalArgumentException(text);
    });
    static final SettingType<URI> WEB_URL =
            of("an http:// or https:// URL without user, query and slash at its end", SettingType::web);
    static final SettingType<String> HOST = of("a host name such as mail.example.com", SettingType::host);
    static final SettingType<String> ADDRESS = of("a mail address such as operator@example.com", SettingType::address);
    static final SettingType<InetAddress> IP = of("an IP address such as 127.0.0.1 or ::", InetAddress::ofLiteral);
    static final SettingType<Long> SIZE =
            of("a size from 64 KiB to 256 MiB, such as 40MiB or a number of bytes", SettingType::size);

    static <T> SettingType<T> of(String allowed, Function<String, T> parser) {
        return new SettingType<>(allowed, parser, UnaryOperator.identity());
    }

    /** A type whose text is a secret. */
    static <T> SettingType<T> secret(String allowed, Function<String, T> parser) {
        return new SettingType<>(allowed, parser, _ -> "***");
    }

    /** The URL of a server, which may contain a password. */
    static <T> SettingType<T> url(String allowed, Function<String, T> parser) {
        return new SettingType<>(allowed, parser, UrlMask::of);
    }

    /** The constants of an enum in lower case. */
    static <E extends Enum<E>> SettingType<E> oneOf(Class<E> type) {
        List<E> constants = List.of(type.getEnumConstants());
        String allowed = constants.stream().map(SettingType::word).collect(Collectors.joining(", "));
        return of(
                allowed,
                text -> constants.stream()
                        .filter(constant -> word(constant).equals(text))
                        .findFirst()
                        .orElseThrow(IllegalArgumentException::new));
    }

    /** A comma-separated list of values of this type. */
    SettingType<List<T>> list() {
        return new SettingType<>(
                "a comma-separated list, each " + allowed,
                text -> Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .map(parser)
                        .toList(),
                shown);
    }

    /** Comma-separated pairs {@code name=value}; each name is one of those given and occurs once. */
    static <T> SettingType<Map<String, T>> pairs(List<String> names, SettingType<T> values) {
        return of(
                "name=value,… with the names " + String.join(", ", names) + ", each value " + values.allowed, text -> {
                    Map<String, T> pairs = new LinkedHashMap<>();
                    for (String pair : text.split(",", -1)) {
                        int equals = pair.indexOf('=');
                        String name = pair.substring(0, Math.max(0, equals)).strip();
                        if (!names.contains(name)
                                || pairs.put(
                                                name,
                                                values.parser.apply(pair.substring(equals + 1)
                                                        .strip()))
                                        != null) {
                            throw new IllegalArgumentException(pair);
                        }
                    }
                    return Map.copyOf(pairs);
                });
    }

    static int between(int least, int most, int number) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(Integer.toString(number));
        }
        return number;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static URI web(String text) {
        URI uri = URI.create(text);
        boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!web
                || uri.getHost() == null
                || uri.getRawUserInfo() != null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null
                || text.endsWith("/")) {
            throw new IllegalArgumentException(text);
        }
        return uri;
    }

    /** RFC 1123 §2.1: labels of letters, digits and inner hyphens, 63 octets each, 253 in all. */
    private static String host(String text) {
        String host = text.toLowerCase(Locale.ROOT);
        for (String label : host.split("\\.", -1)) {
            if (!consistsOf(label, "abcdefghijklmnopqrstuvwxyz0123456789-")
                    || label.length() > 63
                    || label.startsWith("-")
                    || label.endsWith("-")) {
                throw new IllegalArgumentException(text);
            }
        }
        if (host.length() > 253) {
            throw new IllegalArgumentException(text);
        }
        return host;
    }

    private static String address(String text) {
        int at = text.lastIndexOf('@');
        if (at < 1 || at > 64 || text.chars().anyMatch(c -> c <= ' ' || c == '<' || c == '>' || c == ',')) {
            throw new IllegalArgumentException(text);
        }
        return text.substring(0, at + 1) + host(text.substring(at + 1));
    }

    private static long size(String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        long unit = switch (text.substring(digits).strip().toLowerCase(Locale.ROOT)) {
            case "" -> 1;
            case "kib" -> 1024;
            case "mib" -> 1024 * 1024;
            default -> throw new IllegalArgumentException(text);
        };
        // RFC 5321 §4.5.3.1.7: messages of at least 64K octets must be accepted.
        return between(64 * 1024, 256 * 1024 * 1024, Math.toIntExact(exact(text.substring(0, digits), unit)));
    }

    private static long exact(String digits, long unit) {
        long number = Long.parseLong(digits);
        return number > Integer.MAX_VALUE / unit ? Integer.MAX_VALUE : number * unit;
    }

    private static boolean consistsOf(String text, String characters) {
        return !text.isEmpty() && text.chars().allMatch(c -> characters.indexOf(c) >= 0);
    }
}
