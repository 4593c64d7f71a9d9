package dev.inboxd.outbound.mx;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An MTA-STS policy: the TLS that a domain demands for its MX hosts (RFC 8461 §3.2).
 *
 * @param mode how a failure is treated
 * @param hosts patterns of host names in lower case; empty only when the mode is {@link Mode#NONE}
 * @param maxAge how long the policy may be cached
 */
public record StsPolicy(Mode mode, List<String> hosts, Duration maxAge) {
    /** Maximum octets of a policy; a larger one is invalid. */
    static final int LARGEST = 64 * 1024;

    private static final long LONGEST_SECONDS = 31_557_600; // RFC 8461 §3.2: a year
    private static final int MOST_HOSTS = 100;

    /** The mode of a policy (RFC 8461 §5). */
    public enum Mode {
        ENFORCE,
        TESTING,
        NONE
    }

    public StsPolicy {
        hosts = List.copyOf(hosts);
    }

    /**
     * Parses a policy, with lines ended by CRLF or LF. Unknown fields are ignored (RFC 8461 §3.2).
     *
     * @return empty when the policy is invalid
     */
    public static Optional<StsPolicy> parse(String text) {
        Map<String, String> first = new HashMap<>();
        List<String> hosts = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String key = line.substring(0, colon).strip();
                String value = line.substring(colon + 1).strip();
                if (key.equals("mx")) {
                    hosts.add(value.toLowerCase(Locale.ROOT));
                } else {
                    first.putIfAbsent(key, value);
                }
            }
        }
        Optional<Mode> mode = mode(first.getOrDefault("mode", ""));
        long seconds = seconds(first.getOrDefault("max_age", ""));
        boolean valid = "STSv1".equals(first.get("version"))
                && seconds >= 0
                && hosts.size() <= MOST_HOSTS
                && (!hosts.isEmpty() || mode.equals(Optional.of(Mode.NONE)));
        return valid ? mode.map(value -> new StsPolicy(value, hosts, Duration.ofSeconds(seconds))) : Optional.empty();
    }

    private static Optional<Mode> mode(String word) {
        return switch (word) {
            case "enforce" -> Optional.of(Mode.ENFORCE);
            case "testing" -> Optional.of(Mode.TESTING);
            case "none" -> Optional.of(Mode.NONE);
            default -> Optional.empty();
        };
    }

    private static long seconds(String digits) {
        boolean number =
                !digits.isEmpty() && digits.length() <= 10 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Math.min(Long.parseLong(digits), LONGEST_SECONDS) : -1;
    }

    /** Whether a pattern matches the host (RFC 8461 §4.1); a wildcard stands for exactly the first label. */
    public boolean names(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        int dot = name.indexOf('.');
        return hosts.stream()
                .anyMatch(pattern -> pattern.equals(name)
                        || (pattern.startsWith("*.")
                                && dot > 0
                                && pattern.substring(1).equals(name.substring(dot))));
    }

    /**
     * The policy id in a domain's TXT records (RFC 8461 §3.1).
     *
     * @return empty when the domain has no policy: no valid record, or several
     */
    public static Optional<String> id(List<String> records) {
        List<String> candidates =
                records.stream().filter(record -> record.startsWith("v=STSv1;")).toList();
        if (candidates.size() != 1) {
            return Optional.empty();
        }
        for (String field : candidates.getFirst().split(";", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0 && field.substring(0, equals).strip().equals("id")) {
                String id = field.substring(equals + 1).strip();
                boolean wellFormed = !id.isEmpty()
                        && id.length() <= 32
                        && id.chars()
                                .allMatch(c ->
                                        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
                return wellFormed ? Optional.of(id) : Optional.empty();
            }
        }
        return Optional.empty();
    }
}
