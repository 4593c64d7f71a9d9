package dev.inboxd.mail.auth;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The DNS of a test: records by name and type. Names that nobody mentioned do not exist. */
public final class TestZone implements Resolver {
    private final Map<String, List<String>> records = new HashMap<>();
    private final Set<String> existing = new HashSet<>();
    private final Set<String> failing = new HashSet<>();
    private int asked;

    /** Adds a record: TXT, A, AAAA, MX or PTR; for MX the host, in the order of preference. */
    public TestZone add(String name, String type, String value) {
        records.computeIfAbsent(key(name, type), _ -> new ArrayList<>()).add(value);
        return exists(name);
    }

    /** Makes a name exist without records, with all names above it. */
    public TestZone exists(String name) {
        for (String rest = bare(name);
                !rest.isEmpty();
                rest = rest.indexOf('.') < 0 ? "" : rest.substring(rest.indexOf('.') + 1)) {
            existing.add(rest);
        }
        return this;
    }

    /** Gives no answer for a type of record. */
    public TestZone failing(String name, String type) {
        failing.add(key(name, type));
        return exists(name);
    }

    /** Gives no answer for a name where it has no records. */
    public TestZone failingWhereEmpty(String name) {
        for (String type : List.of("TXT", "A", "AAAA", "MX", "PTR")) {
            if (!records.containsKey(key(name, type))) {
                failing(name, type);
            }
        }
        return this;
    }

    /** How many questions were asked. */
    public int asked() {
        return asked;
    }

    @Override
    public ResolverAnswer<String> texts(String name) {
        return answer(name, "TXT");
    }

    @Override
    public ResolverAnswer<InetAddress> addresses(String name, boolean ipv6) {
        ResolverAnswer<String> answer = answer(name, ipv6 ? "AAAA" : "A");
        return new ResolverAnswer<>(
                answer.status(),
                answer.records().stream().map(InetAddress::ofLiteral).toList());
    }

    @Override
    public ResolverAnswer<String> mailExchangers(String name) {
        return answer(name, "MX");
    }

    @Override
    public ResolverAnswer<String> names(InetAddress address) {
        return answer(reverse(address), "PTR");
    }

    private ResolverAnswer<String> answer(String name, String type) {
        asked++;
        if (failing.contains(key(name, type))) {
            return ResolverAnswer.without(ResolverAnswer.Status.FAILED);
        }
        List<String> found = records.get(key(name, type));
        if (found != null) {
            return ResolverAnswer.of(found);
        }
        return ResolverAnswer.without(
                existing.contains(bare(name)) ? ResolverAnswer.Status.NO_DATA : ResolverAnswer.Status.NO_NAME);
    }

    private static String reverse(InetAddress address) {
        StringBuilder out = new StringBuilder();
        byte[] octets = address.getAddress();
        for (int i = octets.length - 1; i >= 0; i--) {
            out.append(
                    octets.length == 4
                            ? (octets[i] & 0xFF) + "."
                            : Integer.toHexString(octets[i] & 15) + "." + Integer.toHexString((octets[i] >> 4) & 15)
                                    + ".");
        }
        return out + (octets.length == 4 ? "in-addr.arpa" : "ip6.arpa");
    }

    private static String key(String name, String type) {
        return bare(name) + " " + type;
    }

    private static String bare(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
