package dev.inboxd.mail.url;

import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A web address as a browser reads it, in the normal form of the WHATWG URL Standard: UTF-8 percent-encoded, names as
 * A-labels, numeric hosts as addresses, dot segments removed. The normal form of a normal form is itself.
 *
 * @param scheme {@code http} or {@code https}
 * @param user user name and password with their {@code @}; empty without them
 * @param host a name in lower case, an IPv4 address, or an IPv6 address in brackets
 * @param port with its colon; empty for the scheme's usual one
 * @param path begins with a slash
 * @param query with its question mark; empty without one
 * @param fragment with its number sign; empty without one
 */
public record WebAddress(
        String scheme, String user, String host, String port, String path, String query, String fragment) {
    private static final int LONGEST_HOST = 1_000;

    /**
     * Reads an address, in linear time.
     *
     * @return null when it is no absolute address of http or https that a browser would open
     */
    public static @Nullable WebAddress parse(String address) {
        String text = UrlEncoding.withoutControls(address);
        int colon = text.indexOf(':');
        String scheme = colon == 4 || colon == 5 ? text.substring(0, colon).toLowerCase(Locale.ROOT) : "";
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return null;
        }
        int start = colon + 1;
        while (start < text.length() && isSlash(text.charAt(start))) {
            start++;
        }
        int end = start;
        while (end < text.length() && !isSlash(text.charAt(end)) && "?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String authority = text.substring(start, end);
        int at = authority.lastIndexOf('@');
        String server = authority.substring(at + 1);
        int portColon = server.indexOf(':', Math.max(0, server.lastIndexOf(']')));
        String host = host(portColon < 0 ? server : server.substring(0, portColon));
        String port = port(portColon < 0 ? "" : server.substring(portColon + 1), scheme);
        if (host == null || port == null) {
            return null;
        }
        String user = at <= 0 ? "" : UrlEncoding.user(authority.substring(0, at)) + "@";
        return new WebAddress(scheme, user, host, port, "/", "", "").with(text.substring(end));
    }

    /** This one with what stands behind the host. */
    private WebAddress with(String suffix) {
        int number = suffix.indexOf('#');
        String before = number < 0 ? suffix : suffix.substring(0, number);
        int question = before.indexOf('?');
        return new WebAddress(
                scheme,
                user,
                host,
                port,
                UrlPath.of(question < 0 ? before : before.substring(0, question)),
                question < 0 ? "" : "?" + UrlEncoding.query(before.substring(question + 1)),
                number < 0 ? "" : "#" + UrlEncoding.fragment(suffix.substring(number + 1)));
    }

    /** This one with another query: with its question mark, or empty. */
    public WebAddress withQuery(String replacement) {
        return new WebAddress(scheme, user, host, port, path, replacement, fragment);
    }

    private static @Nullable String host(String text) {
        if (text.isEmpty() || text.length() > LONGEST_HOST) {
            return null;
        }
        if (text.startsWith("[")) {
            byte[] address = text.endsWith("]") ? Ipv6Text.parse(text.substring(1, text.length() - 1)) : null;
            return address == null ? null : "[" + Ipv6Text.compressed(address) + "]";
        }
        String name = ascii(UrlEncoding.decoded(text));
        if (name == null) {
            return null;
        }
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (!Ipv4Text.isNumber(last)) {
            return name;
        }
        byte[] address = Ipv4Text.parse(name);
        return address == null
                ? null
                : (address[0] & 255) + "." + (address[1] & 255) + "." + (address[2] & 255) + "." + (address[3] & 255);
    }

    private static @Nullable String ascii(String name) {
        String rooted = name.endsWith(".") || name.endsWith("\u3002") ? "." : "";
        String bare = name.substring(0, name.length() - rooted.length());
        if (isName(bare)) {
            return bare.toLowerCase(Locale.ROOT) + rooted;
        }
        try {
            return bare.startsWith("[") ? null : DomainName.toAscii(bare) + rooted;
        } catch (AddressSyntaxException none) {
            return null;
        }
    }

    /** Whether it is a name in ASCII: the standard asks for no more of its hyphens. */
    private static boolean isName(String name) {
        int label = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isPart = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (c == '.' ? label == 0 : !isPart && c != '-' && c != '_') {
                return false;
            }
            label = c == '.' ? 0 : label + 1;
        }
        return label > 0
                && name.length() <= 253
                && !name.toLowerCase(Locale.ROOT).contains("xn--");
    }

    private static @Nullable String port(String digits, String scheme) {
        int port = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            port = c < '0' || c > '9' ? 65_536 : port * 10 + c - '0';
            if (port > 65_535) {
                return null;
            }
        }
        return digits.isEmpty() || port == (scheme.equals("https") ? 443 : 80) ? "" : ":" + port;
    }

    private static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }

    /** Where the path begins in the text of the address. */
    public int pathStart() {
        return scheme.length() + 3 + user.length() + host.length() + port.length();
    }

    @Override
    public String toString() {
        return scheme + "://" + user + host + port + path + query + fragment;
    }
}
