package dev.inboxd.mail.spf;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A mechanism, which matches clients (RFC 7208 §5). */
sealed interface Mechanism {
    /** Matches always. */
    record All() implements Mechanism {}

    /** Matches when the record of another domain gives pass. */
    record Include(MacroString domain) implements Mechanism {}

    /** Matches when the client is one of the addresses of a domain; null is the current domain. */
    record A(@Nullable MacroString domain, Prefix prefix) implements Mechanism {}

    /** Matches when the client is one of the addresses of a domain's mail exchangers. */
    record Mx(@Nullable MacroString domain, Prefix prefix) implements Mechanism {}

    /** Matches when the client's own name is within a domain. */
    record Ptr(@Nullable MacroString domain) implements Mechanism {}

    /** Matches when the client is in a network. */
    record Network(Octets address, int bits) implements Mechanism {}

    /** Matches when a name has an A record. */
    record Exists(MacroString domain) implements Mechanism {}

    /** The prefix length that is compared, for each family. */
    record Prefix(int ipv4, int ipv6) {
        static final Prefix FULL = new Prefix(32, 128);
    }

    /** The octets of an address: 4 or 16; an IPv4 address in IPv6 form has 16. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Octets(byte[] octets) {
        static Octets of(InetAddress address) {
            return new Octets(address.getAddress());
        }

        /** Whether the first bits are equal; never for addresses of different families. */
        boolean isWithin(Octets network, int bits) {
            if (octets.length != network.octets.length) {
                return false;
            }
            int fullOctets = bits / 8;
            for (int i = 0; i < fullOctets; i++) {
                if (octets[i] != network.octets[i]) {
                    return false;
                }
            }
            int remainingBits = bits % 8;
            return remainingBits == 0
                    || ((octets[fullOctets] ^ network.octets[fullOctets]) & 0xFF) >> (8 - remainingBits) == 0;
        }
    }

    /**
     * Parses a mechanism without its qualifier.
     *
     * @throws SpfException permerror, when it is malformed
     */
    static Mechanism parse(String term) {
        int end = 0;
        while (end < term.length() && term.charAt(end) != ':' && term.charAt(end) != '/') {
            end++;
        }
        String arguments = term.substring(end);
        return switch (term.substring(0, end).toLowerCase(Locale.ROOT)) {
            case "all" -> {
                if (!arguments.isEmpty()) {
                    throw SpfException.permanent("all takes nothing");
                }
                yield new All();
            }
            case "include" -> new Include(domain(arguments));
            case "exists" -> new Exists(domain(arguments));
            case "a" -> {
                String spec = withoutPrefix(arguments);
                yield new A(optionalDomain(spec), prefix(arguments.substring(spec.length())));
            }
            case "mx" -> {
                String spec = withoutPrefix(arguments);
                yield new Mx(optionalDomain(spec), prefix(arguments.substring(spec.length())));
            }
            case "ptr" -> new Ptr(optionalDomain(arguments));
            case "ip4" -> network(arguments, false);
            case "ip6" -> network(arguments, true);
            default -> throw SpfException.permanent("an unknown mechanism");
        };
    }

    private static @Nullable MacroString optionalDomain(String spec) {
        return spec.isEmpty() ? null : domain(spec);
    }

    private static MacroString domain(String spec) {
        if (!spec.startsWith(":")) {
            throw SpfException.permanent("a mechanism without its domain");
        }
        MacroString domain = MacroString.parse(spec.substring(1), false);
        if (!domain.endsLikeDomain()) {
            throw SpfException.permanent("no domain");
        }
        return domain;
    }

    /** The text before {@code /n}, {@code //n} or {@code /n//n} at the end; a slash may be part of a macro-string. */
    private static String withoutPrefix(String arguments) {
        int end = withoutNumber(arguments);
        if (end == arguments.length()) {
            return arguments;
        }
        if (end > 0 && arguments.charAt(end - 1) == '/') {
            return arguments.substring(0, withoutNumber(arguments.substring(0, end - 1)));
        }
        return arguments.substring(0, end);
    }

    /** Index of the slash of a number at the end, or the length when there is none. */
    private static int withoutNumber(String text) {
        int i = text.length();
        while (i > 0 && MacroString.isDigit(text.charAt(i - 1))) {
            i--;
        }
        return i > 0 && i < text.length() && text.charAt(i - 1) == '/' ? i - 1 : text.length();
    }

    private static Prefix prefix(String text) {
        int six = text.indexOf("//");
        String four = six < 0 ? text : text.substring(0, six);
        return new Prefix(
                four.isEmpty() ? 32 : bits(four.substring(1), 32), six < 0 ? 128 : bits(text.substring(six + 2), 128));
    }

    /** A number without leading zeros up to a limit. */
    private static int bits(String digits, int most) {
        boolean number = !digits.isEmpty()
                && digits.length() <= 3
                && digits.chars().allMatch(MacroString::isDigit)
                && (digits.length() == 1 || digits.charAt(0) != '0');
        if (!number || Integer.parseInt(digits) > most) {
            throw SpfException.permanent("no length of a prefix");
        }
        return Integer.parseInt(digits);
    }

    private static Network network(String arguments, boolean ipv6) {
        if (!arguments.startsWith(":")) {
            throw SpfException.permanent("a network without its address");
        }
        int slash = arguments.indexOf('/');
        String address = arguments.substring(1, slash < 0 ? arguments.length() : slash);
        int most = ipv6 ? 128 : 32;
        int bits = slash < 0 ? most : bits(arguments.substring(slash + 1), most);
        return new Network(ipv6 ? ipv6(address) : ipv4(address), bits);
    }

    private static Octets ipv4(String text) {
        String[] parts = text.split("\\.", -1);
        byte[] octets = new byte[4];
        if (parts.length != 4) {
            throw SpfException.permanent("no IPv4 address");
        }
        for (int i = 0; i < 4; i++) {
            octets[i] = (byte) bits(parts[i], 255);
        }
        return new Octets(octets);
    }

    private static Octets ipv6(String text) {
        boolean clean = text.indexOf(':') >= 0
                && text.chars().allMatch(c -> c == ':' || c == '.' || Character.digit(c, 16) >= 0);
        try {
            InetAddress address = clean ? InetAddress.ofLiteral(text) : null;
            if (address == null) {
                throw SpfException.permanent("no IPv6 address");
            }
            return address instanceof Inet4Address ? mapped(address.getAddress()) : Octets.of(address);
        } catch (IllegalArgumentException malformed) {
            throw SpfException.permanent("no IPv6 address");
        }
    }

    /** Java turns ::ffff:192.0.2.1 into an IPv4 address; in a record it is an IPv6 address, which no client has. */
    private static Octets mapped(byte[] ipv4) {
        byte[] octets = new byte[16];
        octets[10] = (byte) 0xFF;
        octets[11] = (byte) 0xFF;
        System.arraycopy(ipv4, 0, octets, 12, 4);
        return new Octets(octets);
    }
}
