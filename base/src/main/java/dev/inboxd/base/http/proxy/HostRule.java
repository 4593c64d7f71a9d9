package dev.inboxd.base.http.proxy;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hosts by which a port is called. A web page can let its own name lead to this machine (DNS rebinding) and then
 * read what it likes here; its browser sends that name as the host.
 *
 * @param literals the addresses that serve as a host
 * @param names the names that do, in lower case
 */
public record HostRule(Literals literals, Set<String> names) {
    /** Whoever is called by any name: a server that others reach, through proxies and by names of their own. */
    public static final HostRule ANY = new HostRule(Literals.ANY, Set.of());

    private static final String LOCALHOST = "localhost";

    /** Which addresses serve as a host. No page can make its own name an address. */
    public enum Literals {
        /** Those, and every name too. */
        ANY,
        LOOPBACK,
        ALL
    }

    public HostRule {
        names = Set.copyOf(names);
    }

    /** Loopback and these names. */
    public static HostRule development(List<String> names) {
        return new HostRule(Literals.LOOPBACK, lower(names));
    }

    /** Localhost, every address, and these names. */
    public static HostRule operator(List<String> names) {
        return new HostRule(Literals.ALL, lower(names));
    }

    private static Set<String> lower(List<String> names) {
        Set<String> lower = new HashSet<>();
        names.forEach(name -> lower.add(plain(name)));
        return lower;
    }

    /** Whether a request for this host, without its port, is served. */
    public boolean admits(String host) {
        if (literals == Literals.ANY) {
            return true;
        }
        String name = plain(host);
        InetAddress address = literal(name);
        return address == null
                ? names.contains(name) || isLocal(name)
                : names.contains(name) || literals == Literals.ALL || address.isLoopbackAddress();
    }

    /** RFC 6761 §6.3: localhost, and every name below it, is this machine. */
    private static boolean isLocal(String name) {
        return name.equals(LOCALHOST) || name.endsWith("." + LOCALHOST);
    }

    /** Whether the origin of a page (RFC 6454 §6.1) is on this machine. */
    public static boolean isLocalOrigin(String origin) {
        int scheme = origin.indexOf("://");
        if (scheme < 0) {
            return false; // "null": the page of a file or a frame that is walled off
        }
        return development(List.of()).admits(withoutPort(origin.substring(scheme + 3)));
    }

    /** The host of an authority. */
    public static String withoutPort(String authority) {
        int colon = authority.indexOf(':', Math.max(0, authority.lastIndexOf(']')));
        return colon < 0 ? authority : authority.substring(0, colon);
    }

    /** In lower case, without the brackets of an address and the dot of the root. */
    public static String plain(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.startsWith("[") && name.endsWith("]")) {
            return name.substring(1, name.length() - 1);
        }
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    private static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }
}
