package dev.inboxd.payment.offer;

import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.Host;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a facilitator or verifier, which an operator chose: it may be anywhere, but in production what it is told
 * crosses no public network in clear text.
 */
public final class ServiceUrl {
    private ServiceUrl() {}

    /**
     * What is wrong with a URL, as the end of a sentence that begins with it; null when nothing is. A name is looked up
     * only at the connection, which then goes to private addresses alone ({@link #isPrivateOnly}).
     */
    public static @Nullable String fault(URI url, boolean production) {
        boolean isWeb = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
        if (!isWeb || url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
            return "which is not an http:// or https:// URL without user and fragment";
        }
        return isPrivateOnly(url, production) && !isNear(url.getHost())
                ? "which is plain http; production needs https://, or http:// to loopback or a private address"
                : null;
    }

    /** Whether only private addresses may be reached by it. */
    public static boolean isPrivateOnly(URI url, boolean production) {
        return production && "http".equals(url.getScheme());
    }

    /** Whether a host can be loopback or private: such an address, or a name that no public DNS has. */
    private static boolean isNear(String host) {
        return switch (Host.classify(host)) {
            case Host.Address(var address) -> AddressPolicy.PRIVATE.permits(address);
            case Host.Name(String name) -> isLocalName(name.toLowerCase(Locale.ROOT));
            case Host.Malformed _ -> false;
        };
    }

    /** RFC 6761 §6.3 and RFC 6762 §3; {@code internal} is reserved for private use by ICANN. */
    private static boolean isLocalName(String name) {
        return name.indexOf('.') < 0
                || name.endsWith(".localhost")
                || name.endsWith(".local")
                || name.endsWith(".internal");
    }
}
