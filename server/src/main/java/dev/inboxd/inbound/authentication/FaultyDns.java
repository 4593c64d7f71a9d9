package dev.inboxd.inbound.authentication;

import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.base.fault.LookupFaults.LookupFailure;
import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.ResolverAnswer;
import java.net.InetAddress;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The DNS as a mail to some organizations meets it: a look-up fails that is to fail for each of them. */
record FaultyDns(Resolver dns, LookupFaults faults, Set<UUID> organizations) implements Resolver {
    @Override
    public ResolverAnswer<String> texts(String name) {
        return answer(name, () -> dns.texts(name));
    }

    @Override
    public ResolverAnswer<InetAddress> addresses(String name, boolean ipv6) {
        return answer(name, () -> dns.addresses(name, ipv6));
    }

    @Override
    public ResolverAnswer<String> mailExchangers(String name) {
        return answer(name, () -> dns.mailExchangers(name));
    }

    @Override
    public ResolverAnswer<String> names(InetAddress address) {
        return dns.names(address);
    }

    private <T> ResolverAnswer<T> answer(String name, Supplier<ResolverAnswer<T>> question) {
        LookupFailure failure = failure(name);
        return failure == null
                ? question.get()
                : ResolverAnswer.without(
                        failure == LookupFailure.NXDOMAIN
                                ? ResolverAnswer.Status.NO_NAME
                                : ResolverAnswer.Status.FAILED);
    }

    private @Nullable LookupFailure failure(String name) {
        LookupFailure last = null;
        for (UUID organization : organizations) {
            last = faults.of(organization, name);
            if (last == null) {
                return null;
            }
        }
        return last;
    }
}
