package dev.inboxd.net;

import dev.inboxd.mail.url.UrlEncoding;

/**
 * A URL that {@link SafeHttp} may reach: absolute, http or https, no user information, no fragment, a host that is a
 * name or a permitted address, in the normal form of {@link HttpUrl} ({@code http://0x7f000001/} becomes
 * {@code http://127.0.0.1/}). Only {@link SafeHttp#check} creates one.
 */
public final class Target {
    private final HttpUrl url;

    private Target(HttpUrl url) {
        this.url = url;
    }

    /** The URL that is asked for. */
    HttpUrl url() {
        return url;
    }

    /** The domain name or address to reach. */
    public Host host() {
        return url.host();
    }

    /** The TCP port to reach. */
    public int port() {
        return url.port();
    }

    /** The last part of the path, decoded: the name that a URL gives its file. */
    public String fileName() {
        return UrlEncoding.decoded(url.path().substring(url.path().lastIndexOf('/') + 1));
    }

    @Override
    public String toString() {
        return url.toString();
    }

    static TargetCheck check(String url, TargetRules rules) {
        try {
            return check(UrlParser.parse(url), rules);
        } catch (UrlSyntaxException malformed) {
            return malformed.refusal();
        }
    }

    /** Checks the URL of a download, whose fragment is dropped. */
    static TargetCheck checkDownload(String url, TargetRules rules) {
        try {
            return check(UrlParser.resolve(url, null), rules);
        } catch (UrlSyntaxException malformed) {
            return malformed.refusal();
        }
    }

    /**
     * Checks where a redirect leads (RFC 9110 §10.2.2).
     *
     * @param location the field as {@link HttpOutcome.Response} has it
     */
    TargetCheck redirect(String location, TargetRules rules) {
        try {
            HttpUrl next = UrlParser.resolve(UrlEncoding.location(location), url);
            if (url.scheme().equals("https") && !next.scheme().equals("https")) {
                return TargetCheck.refused(TargetCheck.Reason.SCHEME, "A redirect leads from https to http.");
            }
            return check(next, rules);
        } catch (UrlSyntaxException malformed) {
            TargetCheck.Invalid refusal = malformed.refusal();
            return TargetCheck.refused(refusal.reason(), "A redirect leads to no valid URL. " + refusal.message());
        }
    }

    private static TargetCheck check(HttpUrl url, TargetRules rules) {
        if (url.scheme().equals("http") && !rules.plainHttp()) {
            return TargetCheck.refused(TargetCheck.Reason.SCHEME, "The URL must start with https://.");
        }
        if (url.port() < 1 || !rules.permitsPort(url.port())) {
            return TargetCheck.refused(
                    TargetCheck.Reason.PORT,
                    rules.anyPort()
                            ? "The port must be between 1 and 65535."
                            : "The port must be 80, 443 or between 1024 and 65535.");
        }
        return switch (url.host()) {
            case Host.Malformed(String reason) -> TargetCheck.refused(TargetCheck.Reason.HOST, reason);
            case Host.Address(var address)
            when !rules.addresses().permits(address) ->
                TargetCheck.refused(TargetCheck.Reason.ADDRESS, "The URL points at an address that is not public.");
            case Host.Name(var name)
            when Dns.isLocalhost(name) && rules.addresses() == AddressPolicy.PUBLIC ->
                TargetCheck.refused(TargetCheck.Reason.ADDRESS, "The URL points at this machine itself.");
            case Host.Address _, Host.Name _
            when rules.own().covers(url.host(), url.port()) ->
                TargetCheck.refused(TargetCheck.Reason.ADDRESS, "The URL points at this server itself.");
            case Host.Address _, Host.Name _ -> new TargetCheck.Valid(new Target(url));
        };
    }
}
