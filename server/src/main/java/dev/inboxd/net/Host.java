package dev.inboxd.net;

import dev.inboxd.mail.url.Ipv4Text;
import dev.inboxd.mail.url.Ipv6Text;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The host part of a URL (RFC 3986 §3.2.2), classified in this one place: a text that any platform would read as an IP
 * address is an address, and never becomes a DNS question that a wildcard or a search domain could answer.
 */
public sealed interface Host {
    /** An IP address, in any spelling. */
    record Address(InetAddress address) implements Host {}

    /** A domain name for DNS: ASCII, lower case, without the trailing dot. */
    record Name(String name) implements Host {}

    /** Neither; {@code reason} is a sentence for the user who wrote the URL. */
    record Malformed(String reason) implements Host {}

    /** Classifies the host of a URL: a name, an IPv4 address in any spelling, or an IPv6 address in brackets. */
    static Host classify(String text) {
        if (text.startsWith("[")) {
            byte[] address = text.endsWith("]") ? Ipv6Text.parse(text.substring(1, text.length() - 1)) : null;
            return address == null ? new Malformed("The host is not a valid IPv6 address.") : address(null, address);
        }
        boolean rooted = text.endsWith(".");
        String name = rooted ? text.substring(0, text.length() - 1) : text;
        List<String> labels = List.of(name.split("\\.", -1));
        if (!isHostName(name, labels)) {
            return new Malformed("The host is not a valid name: letters, digits and hyphens between dots.");
        }
        // Five or more labels are no legacy spelling of an address, so DNS decides.
        if (labels.size() > 4 || !Ipv4Text.isNumber(labels.getLast())) {
            return new Name(name.toLowerCase(Locale.ROOT));
        }
        byte[] address = rooted ? null : Ipv4Text.parse(labels);
        return address == null ? new Malformed("The host is not a valid IPv4 address.") : address(null, address);
    }

    /** The text for a URL and the Host field: a name, {@code 192.0.2.1} or {@code [2001:db8::1]}. */
    default String text() {
        return switch (this) {
            case Address(Inet6Address address) -> "[" + Ipv6Text.compressed(address.getAddress()) + "]";
            case Address(InetAddress address) -> address.getHostAddress();
            case Name(String name) -> name;
            case Malformed malformed -> throw new IllegalStateException(malformed.reason());
        };
    }

    /** An address with its host name; unlike Java's factory, it never turns mapped IPv6 into IPv4. */
    static Address address(@Nullable String name, byte[] octets) {
        try {
            return new Address(
                    octets.length == 16
                            ? Inet6Address.getByAddress(name, octets, -1)
                            : InetAddress.getByAddress(name, octets));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    // RFC 1123 §2.1, RFC 1035 §2.3.4.
    private static boolean isHostName(String name, List<String> labels) {
        if (name.isEmpty() || name.length() > 253) {
            return false;
        }
        for (String label : labels) {
            if (label.isEmpty()
                    || label.length() > 63
                    || label.startsWith("-")
                    || label.endsWith("-")
                    || !label.chars().allMatch(Host::isLabelCharacter)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLabelCharacter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    }
}
