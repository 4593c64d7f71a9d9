package dev.inboxd.net;

/**
 * Rules for the URLs of users.
 *
 * @param addresses addresses that may be reached; literals are checked at once, names at the connection
 * @param plainHttp whether {@code http} is accepted beside {@code https}
 * @param anyPort whether every port may be used; else 80, 443 and those above 1023, so that no URL can address the
 *     mail, name or login services of a host
 * @param own ports of this server, which no URL reaches
 */
public record TargetRules(AddressPolicy addresses, boolean plainHttp, boolean anyPort, OwnPorts own) {
    /** Rules that know no port of this server. */
    public TargetRules(AddressPolicy addresses, boolean plainHttp, boolean anyPort) {
        this(addresses, plainHttp, anyPort, new OwnPorts());
    }

    /** No restrictions: an endpoint on the developer's own machine is the usual case. */
    public static final TargetRules DEVELOPMENT = new TargetRules(AddressPolicy.ANY, true, true);

    /** Public addresses over TLS. */
    public static final TargetRules PRODUCTION = new TargetRules(AddressPolicy.PUBLIC, false, false);

    /** Checks whether a text could be the URL of a download under any rules, whatever its host. */
    public static TargetCheck checkForm(String url) {
        return Target.checkDownload(url, DEVELOPMENT);
    }

    /** The same rules, with {@code http} accepted as well. */
    TargetRules withPlainHttp() {
        return new TargetRules(addresses, true, anyPort, own);
    }

    boolean permitsPort(int port) {
        return anyPort || port == 80 || port == 443 || port > 1023;
    }
}
