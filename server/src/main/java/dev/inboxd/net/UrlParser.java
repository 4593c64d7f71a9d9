package dev.inboxd.net;

import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import dev.inboxd.mail.url.UrlEncoding;
import dev.inboxd.mail.url.UrlPath;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parses URLs by the WHATWG URL Standard (section 4.4) as far as http and https go. What the standard leaves to its
 * users is refused: a user name, and control characters, which the standard removes or encodes. Linear time.
 */
final class UrlParser {
    /** Longest URL, in characters. RFC 9110 §4.1 recommends to support 8000; no endpoint needs more. */
    static final int MAX_LENGTH = 8000;

    private static final String SCHEMES = "The URL must start with https:// or http://.";

    private final String text;
    private int position;

    private UrlParser(String text) {
        this.text = text;
    }

    /**
     * Parses an absolute URL without a fragment.
     *
     * @throws UrlSyntaxException when it is none
     */
    static HttpUrl parse(String url) throws UrlSyntaxException {
        if (url.indexOf('#') >= 0) {
            throw fault(TargetCheck.Reason.FRAGMENT, "The URL must not have a fragment (#...).");
        }
        return resolve(url, null);
    }

    /**
     * Parses a reference against a base, as a redirect's Location is read. A fragment is dropped: it is never sent (RFC
     * 9110 §7.1).
     *
     * @param base null when the reference must be absolute
     * @throws UrlSyntaxException when the result is no URL that may be asked for
     */
    static HttpUrl resolve(String reference, @Nullable HttpUrl base) throws UrlSyntaxException {
        if (reference.length() > MAX_LENGTH) {
            throw fault(TargetCheck.Reason.SYNTAX, "The URL is longer than " + MAX_LENGTH + " characters.");
        }
        int fragment = reference.indexOf('#');
        String text = (fragment < 0 ? reference : reference.substring(0, fragment)).trim();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) == 127) {
                throw fault(TargetCheck.Reason.SYNTAX, "The URL holds a control character.");
            }
        }
        return new UrlParser(text).read(base);
    }

    private HttpUrl read(@Nullable HttpUrl base) throws UrlSyntaxException {
        String scheme = scheme();
        if (scheme == null && base == null) {
            throw fault(TargetCheck.Reason.SCHEME, SCHEMES);
        }
        if (scheme != null && !scheme.equals("http") && !scheme.equals("https")) {
            throw fault(TargetCheck.Reason.SCHEME, SCHEMES);
        }
        if (base == null) {
            return absolute(Objects.requireNonNull(scheme));
        }
        boolean isRelative = (scheme == null || scheme.equals(base.scheme())) && !hasAuthority();
        return isRelative ? relative(base) : absolute(scheme == null ? base.scheme() : scheme);
    }

    /** Reads a scheme and its colon; null, and nothing read, when there is none. */
    private @Nullable String scheme() {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ':' && i > 0) {
                position = i + 1;
                return text.substring(0, i).toLowerCase(Locale.ROOT);
            }
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && (i == 0 || "0123456789+-.".indexOf(c) < 0)) {
                return null;
            }
        }
        return null;
    }

    private boolean hasAuthority() {
        return isSlash(position) && isSlash(position + 1);
    }

    /** The standard takes any number of slashes, either way round, before the host. */
    private HttpUrl absolute(String scheme) throws UrlSyntaxException {
        while (isSlash(position)) {
            position++;
        }
        int end = position;
        while (end < text.length() && !isSlash(end) && text.charAt(end) != '?') {
            end++;
        }
        String authority = text.substring(position, end);
        position = end;
        if (authority.indexOf('@') >= 0) {
            throw fault(TargetCheck.Reason.USERINFO, "The URL must not hold a user name or password.");
        }
        if (authority.startsWith("[") && authority.indexOf(']') < 0) {
            throw fault(TargetCheck.Reason.SYNTAX, "The host is not a valid IPv6 address.");
        }
        int colon = authority.indexOf(':', Math.max(0, authority.lastIndexOf(']')));
        int port = port(colon < 0 ? "" : authority.substring(colon + 1), scheme);
        Host host = host(colon < 0 ? authority : authority.substring(0, colon));
        return new HttpUrl(scheme, host, port, UrlPath.of(path()), query());
    }

    private HttpUrl relative(HttpUrl base) {
        String path = path();
        boolean isEmpty = path.isEmpty();
        String query = query();
        if (!isEmpty && !isSlash(path.charAt(0))) {
            path = base.path().substring(0, base.path().lastIndexOf('/') + 1) + path;
        }
        return new HttpUrl(
                base.scheme(),
                base.host(),
                base.port(),
                isEmpty ? base.path() : UrlPath.of(path),
                isEmpty && query == null ? base.query() : query);
    }

    private String path() {
        int question = text.indexOf('?', position);
        int end = question < 0 ? text.length() : question;
        String path = text.substring(position, end);
        position = end;
        return path;
    }

    private @Nullable String query() {
        return position < text.length() ? UrlEncoding.query(text.substring(position + 1)) : null;
    }

    private static Host host(String text) throws UrlSyntaxException {
        if (text.isEmpty()) {
            throw fault(TargetCheck.Reason.SYNTAX, "The URL has no host.");
        }
        Host host = Host.classify(text.startsWith("[") ? text : ascii(UrlEncoding.decoded(text)));
        if (host instanceof Host.Malformed(String reason)) {
            throw fault(TargetCheck.Reason.HOST, reason);
        }
        return host;
    }

    /** The name as A-labels; what cannot be one stays as it is, and the classification says why. */
    private static String ascii(String name) {
        boolean rooted = name.endsWith(".") || name.endsWith("\u3002");
        try {
            return DomainName.toAscii(rooted ? name.substring(0, name.length() - 1) : name) + (rooted ? "." : "");
        } catch (AddressSyntaxException notOne) {
            return name;
        }
    }

    private static int port(String digits, String scheme) throws UrlSyntaxException {
        int port = 0;
        for (int i = 0; i < digits.length() && port >= 0; i++) {
            char c = digits.charAt(i);
            port = c < '0' || c > '9' ? -1 : port * 10 + c - '0';
            port = port > 65535 ? -1 : port;
        }
        if (port < 0) {
            throw fault(TargetCheck.Reason.PORT, "The port must be between 1 and 65535.");
        }
        return digits.isEmpty() ? HttpUrl.usualPort(scheme) : port;
    }

    private boolean isSlash(int index) {
        return index < text.length() && isSlash(text.charAt(index));
    }

    private static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }

    private static UrlSyntaxException fault(TargetCheck.Reason reason, String explanation) {
        return new UrlSyntaxException(reason, explanation);
    }
}
