package dev.inboxd.inbound.authentication;

import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.ResolverAnswer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The DNS lookups of one message: after twenty seconds in all, every further lookup fails (RFC 7208 §4.6.4, attack
 * A11).
 */
public final class BoundedDns implements Resolver {
    private static final long TIME_LIMIT = Duration.ofSeconds(20).toNanos();

    private final Resolver dns;
    private final long end = System.nanoTime() + TIME_LIMIT;

    public BoundedDns(Resolver dns) {
        this.dns = dns;
    }

    @Override
    public ResolverAnswer<String> texts(String name) {
        return inTime(() -> dns.texts(name));
    }

    @Override
    public ResolverAnswer<InetAddress> addresses(String name, boolean ipv6) {
        return inTime(() -> dns.addresses(name, ipv6));
    }

    @Override
    public ResolverAnswer<String> mailExchangers(String name) {
        return inTime(() -> dns.mailExchangers(name));
    }

    @Override
    public ResolverAnswer<String> names(InetAddress address) {
        return inTime(() -> dns.names(address));
    }

    private <T> ResolverAnswer<T> inTime(Supplier<ResolverAnswer<T>> question) {
        return System.nanoTime() - end < 0 ? question.get() : ResolverAnswer.without(ResolverAnswer.Status.FAILED);
    }
}
