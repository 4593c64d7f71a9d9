package dev.inboxd.net;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.TSIG;

/**
 * Requests DNSSEC validation in each query of one lookup (RFC 6840 §5.7 and §5.8), and notes an answer that the server
 * did not validate.
 */
final class DnssecProbe implements Resolver {
    private final Resolver resolver;
    private volatile boolean unproven;

    DnssecProbe(Resolver resolver) {
        this.resolver = resolver;
    }

    /** Whether the server validated every answer so far. */
    boolean proven() {
        return !unproven;
    }

    @Override
    public CompletionStage<Message> sendAsync(Message query) {
        return checked(resolver.sendAsync(requestValidation(query)));
    }

    @Override
    public CompletionStage<Message> sendAsync(Message query, Executor executor) {
        return checked(resolver.sendAsync(requestValidation(query), executor));
    }

    private static Message requestValidation(Message query) {
        query.getHeader().setFlag(Flags.AD);
        return query;
    }

    private CompletionStage<Message> checked(CompletionStage<Message> reply) {
        return reply.thenApply(message -> {
            unproven |= !message.getHeader().getFlag(Flags.AD);
            return message;
        });
    }

    // The wrapped resolver keeps its settings.

    @Override
    public void setPort(int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setTCP(boolean flag) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setIgnoreTruncation(boolean flag) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setEDNS(int version, int payloadSize, int flags, List<EDNSOption> options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setTSIGKey(TSIG key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setTimeout(Duration timeout) {
        throw new UnsupportedOperationException();
    }
}
