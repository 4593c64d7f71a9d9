package dev.inboxd.cli;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The address of a server that is called with a key: a key must not cross the internet in clear text. */
public final class ServerAddress {
    /** The variable, or the option of the same meaning, that lets a key go in clear text. */
    public static final String INSECURE = "INBOXD_INSECURE";

    private static final int SHARED_FIRST = 100;
    private static final int SHARED_SECOND = 64;
    private static final int UNIQUE_LOCAL = 0xFC;

    private ServerAddress() {}

    /**
     * What is wrong with calling an address, and what to do; null when nothing is.
     *
     * @param environment may say that clear text is wanted
     */
    public static @Nullable String fault(URI server, Map<String, String> environment) {
        String said = environment.getOrDefault(INSECURE, "").strip().toLowerCase(Locale.ROOT);
        if ("on".equals(said) || !"http".equals(server.getScheme()) || isNear(server.getHost())) {
            return null;
        }
        return "http:// would send the key to " + server.getHost() + " in clear text; use https://, or say --insecure"
                + " or " + INSECURE + "=on";
    }

    /** Whether a host is this machine, in a private network, or a name of the local network, which has no dot. */
    private static boolean isNear(String host) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals("localhost") || lower.endsWith(".localhost")) {
            return true;
        }
        try {
            return isPrivate(InetAddress.ofLiteral(name));
        } catch (IllegalArgumentException isName) {
            return name.indexOf('.') < 0;
        }
    }

    /** RFC 1918, RFC 6598, RFC 4193, and addresses of the link. */
    private static boolean isPrivate(InetAddress address) {
        byte[] octets = address.getAddress();
        int first = octets[0] & 0xFF;
        boolean isShared = octets.length == 4 && first == SHARED_FIRST && (octets[1] & 0xC0) == SHARED_SECOND;
        boolean isUnique = octets.length == 16 && (first & 0xFE) == UNIQUE_LOCAL;
        return isShared
                || isUnique
                || address.isLoopbackAddress()
                || address.isSiteLocalAddress()
                || address.isLinkLocalAddress();
    }
}
