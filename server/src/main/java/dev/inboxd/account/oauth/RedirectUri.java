package dev.inboxd.account.oauth;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a browser goes back to after the consent: an address over HTTPS, one of the person's own machine, or one that a
 * program on it has claimed (RFC 8252 §7).
 *
 * @param text as the client gave it
 * @param scheme in lower case
 * @param host in lower case; empty for a scheme of a program
 * @param port the digits behind the host; empty without any
 * @param pathAndQuery what stands behind host and port
 */
public record RedirectUri(String text, String scheme, String host, String port, String pathAndQuery) {
    private static final int LONGEST = 1_024;
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]", "localhost");

    /** Schemes that run code, read files, or that a browser hands to something other than a client. */
    private static final Set<String> REFUSED = Set.of(
            "about",
            "blob",
            "cid",
            "chrome",
            "data",
            "facetime",
            "feed",
            "file",
            "filesystem",
            "ftp",
            "ftps",
            "intent",
            "itms-services",
            "jar",
            "javascript",
            "ldap",
            "mailto",
            "mhtml",
            "mid",
            "moz-extension",
            "resource",
            "search",
            "search-ms",
            "sftp",
            "shell",
            "sms",
            "smb",
            "ssh",
            "tel",
            "telnet",
            "urn",
            "vbscript",
            "view-source",
            "ws",
            "wss");

    /** Reads one; null for what no browser of a person may be sent to. */
    public static @Nullable RedirectUri of(@Nullable String text) {
        int colon = text == null ? -1 : text.indexOf(':');
        if (text == null
                || text.length() > LONGEST
                || colon < 1
                || !text.chars().allMatch(RedirectUri::isPlain)) {
            return null;
        }
        String scheme = text.substring(0, colon);
        String hierPart = text.substring(colon + 1);
        if (!isScheme(scheme)) {
            return null;
        }
        if (scheme.equals("https") || scheme.equals("http")) {
            return hierPart.startsWith("//") ? ofWeb(text, scheme, hierPart.substring(2)) : null;
        }
        // RFC 8252 §7.1: a scheme of a program, followed by a path
        return REFUSED.contains(scheme) || scheme.startsWith("ms-") || !hierPart.startsWith("/")
                ? null
                : new RedirectUri(text, scheme, "", "", hierPart);
    }

    private static @Nullable RedirectUri ofWeb(String text, String scheme, String behind) {
        int end = 0;
        while (end < behind.length() && behind.charAt(end) != '/' && behind.charAt(end) != '?') {
            end++;
        }
        String authority = behind.substring(0, end);
        int colon =
                authority.startsWith("[") ? authority.indexOf(':', authority.indexOf(']') + 1) : authority.indexOf(':');
        String host = colon < 0 ? authority : authority.substring(0, colon);
        String port = colon < 0 ? "" : authority.substring(colon + 1);
        boolean isKnown = scheme.equals("https") ? isName(host) : LOOPBACK.contains(host);
        return isKnown && (colon < 0 || isPort(port))
                ? new RedirectUri(text, scheme, host, port, behind.substring(end))
                : null;
    }

    /** Printable ASCII that needs no encoding in a URL (RFC 3986 §2), and no fragment. */
    private static boolean isPlain(int c) {
        return c > ' ' && c < 0x7F && "\"<>\\^`{|}#".indexOf(c) < 0;
    }

    private static boolean isScheme(String scheme) {
        return isLetter(scheme.charAt(0))
                && scheme.chars().allMatch(c -> isLetter(c) || isDigit(c) || c == '+' || c == '-' || c == '.');
    }

    private static boolean isName(String host) {
        return !host.isEmpty() && host.chars().allMatch(c -> isLetter(c) || isDigit(c) || c == '-' || c == '.');
    }

    private static boolean isPort(String port) {
        return !port.isEmpty()
                && port.length() <= 5
                && port.chars().allMatch(RedirectUri::isDigit)
                && Integer.parseInt(port) >= 1
                && Integer.parseInt(port) <= 65_535;
    }

    private static boolean isLetter(int c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private boolean isLoopback() {
        return scheme.equals("http");
    }

    /** Whether a request may name the other where this one is registered (RFC 8252 §7.3: any port of the machine). */
    boolean covers(RedirectUri requested) {
        return text.equals(requested.text)
                || (isLoopback()
                        && requested.isLoopback()
                        && host.equals(requested.host)
                        && pathAndQuery.equals(requested.pathAndQuery));
    }

    /** What a policy of forms names to let a browser go there (CSP 3 §2.3.1, which knows no address in brackets). */
    public String source() {
        return host.isEmpty() || host.startsWith("[")
                ? scheme + ":"
                : scheme + "://" + host + (port.isEmpty() ? "" : ":" + port);
    }

    /** Where it leads, for a person. */
    public String place() {
        return isLoopback()
                ? "a program on this computer"
                : host.isEmpty() ? "the program behind " + scheme + ":" : host;
    }
}
