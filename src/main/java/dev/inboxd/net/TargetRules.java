package dev.inboxd.net;

/**
 * What a URL given by a user may point at.
 *
 * @param addresses which addresses may be reached, checked for literals at once and for names when connecting
 * @param plainHttp whether {@code http} is taken beside {@code https}
 * @param anyPort whether every port may be used; else 80, 443 and those above 1023, so that no URL can speak to the
 *     mail, name or login services of a host
 */
public record TargetRules(AddressPolicy addresses, boolean plainHttp, boolean anyPort) {
    /** Everything goes: an endpoint on the developer's own machine is the usual case. */
    public static final TargetRules DEVELOPMENT = new TargetRules(AddressPolicy.ANY, true, true);

    /** Public addresses over TLS. */
    public static final TargetRules PRODUCTION = new TargetRules(AddressPolicy.PUBLIC, false, false);

    /** Whether a text could be the URL of a download under any rules; what it leads to is another question. */
    public static TargetCheck checkForm(String url) {
        int fragment = url.indexOf('#');
        return Target.check(fragment < 0 ? url : url.substring(0, fragment), DEVELOPMENT);
    }

    /** The same rules, with {@code http} taken as well. */
    TargetRules withPlainHttp() {
        return new TargetRules(addresses, true, anyPort);
    }

    boolean permitsPort(int port) {
        return anyPort || port == 80 || port == 443 || port > 1023;
    }
}
