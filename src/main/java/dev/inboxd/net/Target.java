package dev.inboxd.net;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * A URL that {@link SafeHttp} may reach: absolute, http or https, no user information, no fragment, a host that is a
 * name or a permitted address, in canonical form ({@code http://0x7f000001/} becomes {@code http://127.0.0.1/}). Only
 * {@link SafeHttp#check} creates one.
 */
public final class Target {
    /** Longest URL, in characters. RFC 9110 §4.1 recommends to support 8000; no endpoint needs more. */
    static final int MAX_LENGTH = 8000;

    private final URI uri;
    private final Host host;
    private final int port;

    private Target(URI uri, Host host, int port) {
        this.uri = uri;
        this.host = host;
        this.port = port;
    }

    /** The canonical URL. */
    public URI uri() {
        return uri;
    }

    /** The domain name or address to reach. */
    public Host host() {
        return host;
    }

    /** The TCP port to reach. */
    public int port() {
        return port;
    }

    @Override
    public String toString() {
        return uri.toString();
    }

    static TargetCheck check(String url, TargetRules rules) {
        if (url.length() > MAX_LENGTH) {
            return TargetCheck.refused(
                    TargetCheck.Reason.SYNTAX, "The URL is longer than " + MAX_LENGTH + " characters.");
        }
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            return TargetCheck.refused(TargetCheck.Reason.SYNTAX, "This is not a valid URL (RFC 3986).");
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !(scheme.equals("http") && rules.plainHttp())) {
            return TargetCheck.refused(
                    TargetCheck.Reason.SCHEME,
                    rules.plainHttp()
                            ? "The URL must start with https:// or http://."
                            : "The URL must start with https://.");
        }
        if (uri.getRawAuthority() == null) {
            return TargetCheck.refused(TargetCheck.Reason.SYNTAX, "The URL has no host.");
        }
        if (uri.getRawAuthority().indexOf('@') >= 0) {
            return TargetCheck.refused(TargetCheck.Reason.USERINFO, "The URL must not hold a user name or password.");
        }
        if (uri.getRawFragment() != null) {
            return TargetCheck.refused(TargetCheck.Reason.FRAGMENT, "The URL must not have a fragment (#...).");
        }
        return checkAuthority(uri, scheme, rules);
    }

    private static TargetCheck checkAuthority(URI uri, String scheme, TargetRules rules) {
        // URI's own getHost and getPort return nothing for the numeric spellings, so the authority is split here.
        String authority = uri.getRawAuthority();
        int colon = authority.indexOf(':', Math.max(0, authority.lastIndexOf(']')));
        String digits = colon < 0 ? "" : authority.substring(colon + 1);
        int port = port(digits, scheme);
        if (port < 1 || !rules.permitsPort(port)) {
            return TargetCheck.refused(
                    TargetCheck.Reason.PORT,
                    rules.anyPort()
                            ? "The port must be between 1 and 65535."
                            : "The port must be 80, 443 or between 1024 and 65535.");
        }
        Host host = Host.classify(colon < 0 ? authority : authority.substring(0, colon));
        return switch (host) {
            case Host.Malformed(String reason) -> TargetCheck.refused(TargetCheck.Reason.HOST, reason);
            case Host.Address(var address)
            when !rules.addresses().permits(address) ->
                TargetCheck.refused(TargetCheck.Reason.ADDRESS, "The URL points at an address that is not public.");
            case Host.Name(var name)
            when Dns.isLocalhost(name) && rules.addresses() == AddressPolicy.PUBLIC ->
                TargetCheck.refused(TargetCheck.Reason.ADDRESS, "The URL points at this machine itself.");
            case Host.Address _, Host.Name _ ->
                new TargetCheck.Valid(new Target(canonical(uri, scheme, host, port), host, port));
        };
    }

    private static int port(String digits, String scheme) {
        if (digits.isEmpty()) {
            return scheme.equals("https") ? 443 : 80;
        }
        if (digits.length() > 5 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        int port = Integer.parseInt(digits);
        return port > 65535 ? -1 : port;
    }

    private static URI canonical(URI uri, String scheme, Host host, int port) {
        boolean usual = port == (scheme.equals("https") ? 443 : 80);
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return URI.create(scheme + "://" + host.text() + (usual ? "" : ":" + port) + path + query);
    }
}
