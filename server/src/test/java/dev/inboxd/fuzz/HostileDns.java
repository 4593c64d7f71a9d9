package dev.inboxd.fuzz;

import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.ResolverAnswer;
import java.net.InetAddress;
import java.util.List;

/** A DNS that says the same hostile things whatever it is asked, and counts the questions. */
final class HostileDns implements Resolver {
    private final List<String> texts;
    private int asked;

    HostileDns(String... texts) {
        this.texts = List.of(texts);
    }

    int asked() {
        return asked;
    }

    @Override
    public ResolverAnswer<String> texts(String name) {
        asked++;
        return ResolverAnswer.of(texts);
    }

    @Override
    public ResolverAnswer<InetAddress> addresses(String name, boolean ipv6) {
        asked++;
        return ResolverAnswer.of(List.of(InetAddress.ofLiteral(ipv6 ? "2001:db8::1" : "192.0.2.1")));
    }

    @Override
    public ResolverAnswer<String> mailExchangers(String name) {
        asked++;
        return ResolverAnswer.of(texts);
    }

    @Override
    public ResolverAnswer<String> names(InetAddress address) {
        asked++;
        return ResolverAnswer.of(texts);
    }
}
