package dev.inboxd.net;

import java.net.InetAddress;

/** What must hold of any URL that a user gives. */
public final class UrlFuzz {
    private UrlFuzz() {}

    /** Checks a URL under the rules of production; what is accepted is public and stays what it is. */
    public static void check(String url) {
        if (!(Target.check(url, TargetRules.PRODUCTION) instanceof TargetCheck.Valid accepted)) {
            return;
        }
        Target target = accepted.target();
        String host = target.host().text();
        if (target.host() instanceof Host.Address address && !AddressPolicy.PUBLIC.permits(address.address())) {
            throw new AssertionError("not public: " + host);
        }
        if (host.chars().filter(c -> c == '.').count() < 4
                && host.chars().allMatch(c -> c == '.' || Character.isDigit(c))
                && !AddressPolicy.PUBLIC.permits(InetAddress.ofLiteral(host))) {
            throw new AssertionError("not public: " + host);
        }
        if (!(Target.check(target.url().toString(), TargetRules.PRODUCTION) instanceof TargetCheck.Valid again)
                || !again.target().url().equals(target.url())) {
            throw new AssertionError("its canonical form is another: " + target.url());
        }
    }
}
