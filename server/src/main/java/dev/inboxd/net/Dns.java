package dev.inboxd.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupResult;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;

/**
 * DNS lookups (RFC 1034, 1035) at a configured list of recursive servers: no hosts file, no search domains, no cache.
 * Blocking; call from virtual threads. Thread-safe.
 */
public final class Dns {
    /** Maximum number of records in one answer; more of them are an attack, never a configuration. */
    static final int MAX_RECORDS = 256;
    /** Maximum number of CNAME and DNAME steps followed. */
    static final int MAX_ALIASES = 8;

    private static final Duration PER_QUERY = Duration.ofSeconds(2);

    private final ExtendedResolver resolver;
    private final LookupSession session;
    private final Duration deadline;
    private final boolean anyServer;

    /**
     * @param servers addresses of recursive servers, tried in turn
     * @param deadline the longest time of one lookup, retries and aliases included
     */
    public Dns(List<InetSocketAddress> servers, Duration deadline) {
        List<Resolver> resolvers = new ArrayList<>();
        for (InetSocketAddress server : servers) {
            SimpleResolver resolver = new SimpleResolver(server);
            resolver.setTimeout(PER_QUERY);
            resolvers.add(resolver);
        }
        ExtendedResolver all = new ExtendedResolver(resolvers);
        all.setTimeout(deadline);
        this.resolver = all;
        this.session = session(all);
        this.deadline = deadline;
        this.anyServer = !servers.isEmpty();
    }

    private static LookupSession session(Resolver resolver) {
        return LookupSession.builder()
                .resolver(resolver)
                .maxRedirects(MAX_ALIASES)
                .build();
    }

    /**
     * The addresses of a host, IPv4 first: most small servers have no IPv6 route.
     *
     * @param host a domain name, taken as absolute
     */
    public DnsAnswer<InetAddress> addresses(String host) {
        if (isLocalhost(host)) {
            // RFC 6761 §6.3: localhost is loopback and is not looked up in DNS.
            return new DnsAnswer.Records<>(List.of(
                    Host.address(host, new byte[] {127, 0, 0, 1}).address(),
                    Host.address(host, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
                            .address()));
        }
        Name name = absolute(host);
        if (name == null) {
            return new DnsAnswer.Missing<>(false);
        }
        long end = System.nanoTime() + deadline.toNanos();
        CompletableFuture<LookupResult> ipv4 = ask(name, Type.A);
        CompletableFuture<LookupResult> ipv6 = ask(name, Type.AAAA);
        return merge(await(ipv4, end), await(ipv6, end), host);
    }

    /**
     * The mail exchangers of a domain, most preferred first and equals in random order (RFC 5321 §5.1). The caller
     * looks up their addresses.
     *
     * @return an empty list for a null MX: the domain accepts no mail (RFC 7505); {@code Missing} with an existing
     *     name when the domain is its own exchanger
     */
    public DnsAnswer<MailExchanger> mailExchangers(String domain) {
        Name name = absolute(domain);
        return name == null ? new DnsAnswer.Missing<>(false) : mapped(answer(name, Type.MX), Dns::byPreference);
    }

    /** The same answer with its records mapped. */
    static <T> DnsAnswer<T> mapped(DnsAnswer<Record> answer, Function<List<Record>, List<T>> reader) {
        return switch (answer) {
            case DnsAnswer.Records<Record>(List<Record> records) -> new DnsAnswer.Records<>(reader.apply(records));
            case DnsAnswer.Missing<Record>(boolean nameExists) -> new DnsAnswer.Missing<>(nameExists);
            case DnsAnswer.Unavailable<Record>(String reason) -> new DnsAnswer.Unavailable<>(reason);
        };
    }

    /**
     * A lookup with the server's statement whether DNSSEC proves the answer.
     *
     * @param believed whether the statement counts
     */
    SecureDns.SecureAnswer<Record> secured(String text, int type, boolean believed) {
        Name name = absolute(text);
        if (name == null) {
            return new SecureDns.SecureAnswer<>(new DnsAnswer.Missing<>(false), false);
        }
        if (!believed || !anyServer) {
            return new SecureDns.SecureAnswer<>(answer(name, type), false);
        }
        DnssecProbe proving = new DnssecProbe(resolver);
        DnsAnswer<Record> answer = await(
                session(proving).lookupAsync(name, type).toCompletableFuture(), System.nanoTime() + deadline.toNanos());
        return new SecureDns.SecureAnswer<>(answer, proving.proven());
    }

    /**
     * The TXT records of a name, in no order. The strings of a record are joined (RFC 1035 §3.3.14, RFC 7208 §3.3),
     * one character an octet.
     */
    public DnsAnswer<String> texts(String name) {
        return records(name, Type.TXT, record -> record instanceof TXTRecord text ? joined(text) : null);
    }

    /** The target of a name's CNAME (RFC 1034 §3.6.2), not followed further. */
    public DnsAnswer<String> alias(String name) {
        return records(
                name,
                Type.CNAME,
                record ->
                        record instanceof CNAMERecord alias ? alias.getTarget().toString(true) : null);
    }

    private <T> DnsAnswer<T> records(String text, int type, Function<Record, @Nullable T> reader) {
        Name name = absolute(text);
        if (name == null) {
            return new DnsAnswer.Missing<>(false);
        }
        return switch (await(ask(name, type), System.nanoTime() + deadline.toNanos())) {
            case DnsAnswer.Records<Record>(List<Record> records) -> {
                List<T> read = new ArrayList<>();
                for (Record record : records) {
                    T value = reader.apply(record);
                    if (value != null) {
                        read.add(value);
                    }
                }
                yield read.isEmpty() ? new DnsAnswer.Missing<>(true) : new DnsAnswer.Records<>(read);
            }
            case DnsAnswer.Missing<Record>(boolean nameExists) -> new DnsAnswer.Missing<>(nameExists);
            case DnsAnswer.Unavailable<Record>(String reason) -> new DnsAnswer.Unavailable<>(reason);
        };
    }

    /** The names of an address (PTR, RFC 1035 §3.5). */
    public DnsAnswer<String> pointers(InetAddress address) {
        return switch (await(ask(ReverseMap.fromAddress(address), Type.PTR), System.nanoTime() + deadline.toNanos())) {
            case DnsAnswer.Records<Record>(List<Record> records) ->
                new DnsAnswer.Records<>(records.stream()
                        .filter(PTRRecord.class::isInstance)
                        .map(PTRRecord.class::cast)
                        .map(pointer -> pointer.getTarget().toString(true))
                        .toList());
            case DnsAnswer.Missing<Record>(boolean nameExists) -> new DnsAnswer.Missing<>(nameExists);
            case DnsAnswer.Unavailable<Record>(String reason) -> new DnsAnswer.Unavailable<>(reason);
        };
    }

    private static String joined(TXTRecord record) {
        StringBuilder text = new StringBuilder();
        for (byte[] piece : record.getStringsAsByteArrays()) {
            text.append(new String(piece, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    static boolean isLocalhost(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("localhost") || lower.endsWith(".localhost");
    }

    static List<MailExchanger> byPreference(List<Record> records) {
        List<MailExchanger> exchangers = new ArrayList<>();
        for (Record record : records) {
            if (record instanceof MXRecord mx && !mx.getTarget().equals(Name.root)) {
                exchangers.add(
                        new MailExchanger(mx.getPriority(), mx.getTarget().toString(true)));
            }
        }
        Collections.shuffle(exchangers);
        exchangers.sort(Comparator.comparingInt(MailExchanger::preference));
        return exchangers;
    }

    static DnsAnswer<InetAddress> merge(DnsAnswer<Record> ipv4, DnsAnswer<Record> ipv6, String host) {
        List<InetAddress> addresses = new ArrayList<>();
        addAddresses(addresses, ipv4, host);
        addAddresses(addresses, ipv6, host);
        if (addresses.size() > MAX_RECORDS) {
            return new DnsAnswer.Unavailable<>("more than " + MAX_RECORDS + " records");
        }
        if (!addresses.isEmpty()) {
            return new DnsAnswer.Records<>(addresses);
        }
        if (ipv4 instanceof DnsAnswer.Unavailable<Record>(String reason)) {
            return new DnsAnswer.Unavailable<>(reason);
        }
        if (ipv6 instanceof DnsAnswer.Unavailable<Record>(String reason)) {
            return new DnsAnswer.Unavailable<>(reason);
        }
        return new DnsAnswer.Missing<>(existing(ipv4) || existing(ipv6));
    }

    private static boolean existing(DnsAnswer<Record> answer) {
        return answer instanceof DnsAnswer.Missing<Record>(boolean nameExists) && nameExists;
    }

    private static void addAddresses(List<InetAddress> addresses, DnsAnswer<Record> answer, String host) {
        if (answer instanceof DnsAnswer.Records<Record>(List<Record> records)) {
            for (Record record : records) {
                // The octets as received: the library's getter would turn a mapped IPv6 address into IPv4.
                addresses.add(Host.address(host, record.rdataToWireCanonical()).address());
            }
        }
    }

    /** The name as an absolute one, or null when it is not a domain name. */
    static @Nullable Name absolute(String name) {
        try {
            return Name.fromString(name, Name.root);
        } catch (TextParseException e) {
            return null;
        }
    }

    /** Sends a question and waits for the answer, at most the deadline. */
    DnsAnswer<Record> answer(Name name, int type) {
        return await(ask(name, type), System.nanoTime() + deadline.toNanos());
    }

    /** Sends a question and returns at once. */
    CompletableFuture<LookupResult> ask(Name name, int type) {
        if (!anyServer) {
            return CompletableFuture.failedFuture(new IOException("no name server is known"));
        }
        return session.lookupAsync(name, type).toCompletableFuture();
    }

    private static DnsAnswer<Record> await(CompletableFuture<LookupResult> lookup, long end) {
        try {
            List<Record> records =
                    lookup.get(end - System.nanoTime(), TimeUnit.NANOSECONDS).getRecords();
            if (records.isEmpty()) {
                return new DnsAnswer.Missing<>(true); // RFC 2308 §2.2: NODATA without an SOA record
            }
            return records.size() > MAX_RECORDS
                    ? new DnsAnswer.Unavailable<>("more than " + MAX_RECORDS + " records")
                    : new DnsAnswer.Records<>(records);
        } catch (TimeoutException e) {
            return new DnsAnswer.Unavailable<>("no answer in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new DnsAnswer.Unavailable<>("interrupted");
        } catch (ExecutionException e) {
            return switch (e.getCause()) {
                case NoSuchDomainException _ -> new DnsAnswer.Missing<>(false);
                case NoSuchRRSetException _ -> new DnsAnswer.Missing<>(true);
                case null -> new DnsAnswer.Unavailable<>("lookup failed");
                case Throwable cause -> DnsAnswer.Unavailable.because(cause);
            };
        }
    }
}
