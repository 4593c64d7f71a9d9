package dev.inboxd.mail.spf;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.ResolverAnswer;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The check_host function (RFC 7208 §4) for one transaction: at most ten terms with DNS lookups, ten exchangers or
 * names for each, and two void lookups. Not thread-safe; to be called once.
 */
public final class SpfCheck {
    private static final int MOST_LOOKUPS = 10;
    private static final int MOST_VOID = 2;
    private static final int MOST_HOSTS = 10;

    private final Resolver dns;
    private final SpfIdentity identity;
    private final boolean ipv6;
    private final Mechanism.Octets client;
    private int lookups;
    private int voids;
    private @Nullable Failed failed;
    private @Nullable List<String> clientNames;
    /** Names whose addresses include the client's: a record may use this check in as many macros as it has room for. */
    private final Map<String, Boolean> leadingBack = new HashMap<>();

    /** The record whose directive gave fail, for its explanation. */
    private record Failed(@Nullable MacroString explanation, String domain) {}

    /**
     * Prepares a check; nothing is looked up yet.
     *
     * @param dns answers the lookups, while {@link #outcome} waits
     * @param identity the client and the domain in whose name it sends
     */
    public SpfCheck(Resolver dns, SpfIdentity identity) {
        this.dns = dns;
        this.identity = identity;
        this.ipv6 = !(identity.client() instanceof Inet4Address);
        this.client = Mechanism.Octets.of(identity.client());
    }

    /**
     * Whether the domain permits the client to send. Never throws because of a record or a name.
     *
     * @return one of the results of RFC 7208 §2.6: temperror when a lookup failed, permerror when a record is malformed
     *     or exceeds the limits of §4.6.4
     */
    public AuthResult outcome() {
        if (!QueryNames.isQualified(identity.domain())) {
            return AuthResult.NONE;
        }
        try {
            return evaluate(identity.domain(), true);
        } catch (SpfException undetermined) {
            return undetermined.outcome;
        }
    }

    private AuthResult evaluate(String domain, boolean top) {
        SpfRecord record = record(domain);
        if (record == null) {
            return AuthResult.NONE;
        }
        for (SpfRecord.Directive directive : record.directives()) {
            if (matches(directive.mechanism(), domain)) {
                if (top && directive.outcome() == AuthResult.FAIL) {
                    failed = new Failed(record.explanation(), domain);
                }
                return directive.outcome();
            }
        }
        if (record.redirect() == null) {
            return AuthResult.NEUTRAL;
        }
        count();
        String target = name(record.redirect(), domain);
        AuthResult outcome = QueryNames.isQualified(target) ? evaluate(target, top) : AuthResult.NONE;
        if (outcome == AuthResult.NONE) {
            throw SpfException.permanent("redirect leads to no record"); // §6.1
        }
        return outcome;
    }

    private @Nullable SpfRecord record(String domain) {
        ResolverAnswer<String> answer = dns.texts(domain);
        if (answer.isFailed()) {
            throw SpfException.temporary("no answer for the record");
        }
        List<String> records =
                answer.records().stream().filter(SpfRecord::isVersioned).toList();
        if (records.size() > 1) {
            throw SpfException.permanent("more than one record"); // §4.5
        }
        return records.isEmpty() ? null : SpfRecord.parse(records.getFirst());
    }

    private boolean matches(Mechanism mechanism, String domain) {
        return switch (mechanism) {
            case Mechanism.All _ -> true;
            case Mechanism.Network network -> client.isWithin(network.address(), network.bits());
            case Mechanism.Include include -> {
                count();
                yield isIncluded(name(include.domain(), domain));
            }
            case Mechanism.A a -> {
                count();
                yield anyWithin(answered(dns.addresses(name(a.domain(), domain), ipv6)), a.prefix());
            }
            case Mechanism.Mx mx -> {
                count();
                yield isExchanger(name(mx.domain(), domain), mx.prefix());
            }
            case Mechanism.Exists exists -> {
                count();
                // §5.7: an A record, whatever the family of the client
                yield !answered(dns.addresses(name(exists.domain(), domain), false))
                        .isEmpty();
            }
            case Mechanism.Ptr ptr -> {
                count();
                String target = name(ptr.domain(), domain);
                yield validatedNames(target).stream().anyMatch(name -> QueryNames.isWithin(name, target));
            }
        };
    }

    /** §5.2: the record of the other domain must exist, and matches when it gives pass. */
    private boolean isIncluded(String domain) {
        AuthResult outcome = QueryNames.isQualified(domain) ? evaluate(domain, false) : AuthResult.NONE;
        if (outcome == AuthResult.NONE) {
            throw SpfException.permanent("include of no record");
        }
        return outcome == AuthResult.PASS;
    }

    private boolean isExchanger(String domain, Mechanism.Prefix prefix) {
        List<String> hosts = answered(dns.mailExchangers(domain));
        if (hosts.size() > MOST_HOSTS) {
            throw SpfException.permanent("more than ten exchangers"); // §4.6.4
        }
        // Void lookups are counted by terms, and an exchanger without an address of the client's family is usual.
        return hosts.stream().anyMatch(host -> anyWithin(recordsOf(dns.addresses(host, ipv6)), prefix));
    }

    private boolean anyWithin(List<InetAddress> addresses, Mechanism.Prefix prefix) {
        int bits = ipv6 ? prefix.ipv6() : prefix.ipv4();
        return addresses.stream().anyMatch(address -> client.isWithin(Mechanism.Octets.of(address), bits));
    }

    /** The client's names whose addresses include the client's (§5.5); names within the domain are checked first. */
    private List<String> validatedNames(String domain) {
        return clientNames().stream()
                .filter(name -> QueryNames.isWithin(name, domain))
                .filter(this::leadsBack)
                .toList();
    }

    /** The client's names from PTR records, in lower case; looked up once for a check. */
    private List<String> clientNames() {
        if (clientNames == null) {
            // A failed lookup of any kind is no error here, only no match.
            clientNames = dns.names(identity.client()).records().stream()
                    .limit(MOST_HOSTS)
                    .map(name -> QueryNames.withoutFinalDot(name).toLowerCase(Locale.ROOT))
                    .toList();
        }
        return clientNames;
    }

    private boolean leadsBack(String name) {
        return leadingBack.computeIfAbsent(
                name, _ -> dns.addresses(name, ipv6).records().contains(identity.client()));
    }

    /** §4.6.4: counts the terms with DNS lookups. */
    private void count() {
        if (++lookups > MOST_LOOKUPS) {
            throw SpfException.permanent("more than ten lookups");
        }
    }

    private <T> List<T> answered(ResolverAnswer<T> answer) {
        if (answer.isVoid() && ++voids > MOST_VOID) {
            throw SpfException.permanent("more than two void lookups");
        }
        return recordsOf(answer);
    }

    private static <T> List<T> recordsOf(ResolverAnswer<T> answer) {
        if (answer.isFailed()) {
            throw SpfException.temporary("no answer");
        }
        return answer.records();
    }

    private String name(@Nullable MacroString spec, String domain) {
        return spec == null
                ? domain
                : QueryNames.fitting(spec.expand(letter -> value(letter, domain)))
                        .toLowerCase(Locale.ROOT);
    }

    /** The value of a macro letter in names (§7.2). */
    private String value(char letter, String domain) {
        return switch (letter) {
            case 's' -> identity.sender();
            case 'l' -> identity.localPart();
            case 'o' -> identity.domain();
            case 'd' -> domain;
            case 'i' -> ipv6 ? ClientAddress.nibbles(client.octets()) : ClientAddress.readable(identity.client());
            case 'p' -> clientName(domain);
            case 'v' -> ipv6 ? "ip6" : "in-addr";
            case 'h' -> identity.helo();
            default -> throw new AssertionError(letter);
        };
    }

    private String clientName(String domain) {
        List<String> near = validatedNames(domain);
        if (near.contains(domain)) {
            return domain;
        }
        if (!near.isEmpty()) {
            return near.getFirst();
        }
        return clientNames().stream().filter(this::leadsBack).findFirst().orElse("unknown");
    }

    /**
     * The domain owner's explanation of a fail: ASCII, untrusted. Call it after {@link #outcome} returned {@link
     * AuthResult#FAIL}.
     *
     * @param receiver this server's host name
     * @param now the time for the explanation's macros
     * @return empty when the owner gives no usable one
     */
    public Optional<String> explanation(String receiver, Instant now) {
        Failed record = failed;
        if (record == null || record.explanation == null) {
            return Optional.empty();
        }
        try {
            List<String> texts =
                    dns.texts(name(record.explanation, record.domain)).records();
            return texts.size() != 1
                    ? Optional.empty()
                    : Optional.of(MacroString.parse(texts.getFirst(), true).expand(letter -> switch (letter) {
                        case 'c' -> ClientAddress.readable(identity.client());
                        case 'r' -> receiver;
                        case 't' -> Long.toString(now.getEpochSecond());
                        default -> value(letter, record.domain);
                    }));
        } catch (SpfException malformed) {
            return Optional.empty(); // §6.2: then there is no explanation
        }
    }
}
