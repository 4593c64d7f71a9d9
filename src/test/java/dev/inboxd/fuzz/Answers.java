package dev.inboxd.fuzz;

import dev.inboxd.mail.auth.Answer;
import dev.inboxd.mail.auth.Resolver;
import java.net.InetAddress;
import java.util.List;

/** A DNS that says the same hostile things whatever it is asked, and counts the questions. */
final class Answers implements Resolver {
    private final List<String> texts;
    private int asked;

    Answers(String... texts) {
        this.texts = List.of(texts);
    }

    int asked() {
        return asked;
    }

    @Override
    public Answer<String> texts(String name) {
        asked++;
        return Answer.of(texts);
    }

    @Override
    public Answer<InetAddress> addresses(String name, boolean ipv6) {
        asked++;
        return Answer.of(List.of(InetAddress.ofLiteral(ipv6 ? "2001:db8::1" : "192.0.2.1")));
    }

    @Override
    public Answer<String> mailExchangers(String name) {
        asked++;
        return Answer.of(texts);
    }

    @Override
    public Answer<String> names(InetAddress address) {
        asked++;
        return Answer.of(texts);
    }
}
