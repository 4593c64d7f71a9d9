package dev.inboxd.net;

import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.ResolverAnswer;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupFailedException;

/**
 * DNS for the checks of received mail, which look up the same few domains again and again: answers are cached for
 * their time to live (an hour at most), and negative answers for a minute. Blocking; call from virtual threads.
 * Thread-safe.
 */
public final class MailDns implements Resolver {
    private static final long ROOM = 32L << 20;
    private static final long LONGEST_SECONDS = 3_600;
    /**
     * The library does not expose the negative time to live of RFC 2308 §5. Short, because a record may be about to
     * appear.
     */
    private static final long NOTHING_SECONDS = 60;

    private static final int ENTRY_BYTES = 200;
    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);
    private static final long PROBE_NANOS = 1_000_000_000L;

    private final Dns dns;
    private final AnswerCache<Key, ResolverAnswer<?>> cache = new AnswerCache<>(ROOM, System::nanoTime);
    private final AtomicLong askAgain = new AtomicLong(System.nanoTime() + PROBE_NANOS);
    private volatile CompletableFuture<Boolean> probe;
    private volatile boolean away;

    private record Key(String name, int type) {}

    /**
     * @param servers addresses of recursive servers
     * @param deadline the longest time of one lookup
     */
    public MailDns(List<InetSocketAddress> servers, Duration deadline) {
        this.dns = new Dns(servers, deadline);
        this.probe = probe(); // so that the first mail need not wait for it
    }

    /**
     * Whether no DNS server has answered in the last seconds. Then nothing is looked up, and a failed lookup says
     * nothing about any domain.
     */
    public boolean isAway() {
        if (isTimeToProbe()) {
            probe = probe();
        }
        return away || probe.join(); // once known to be away, nobody waits for the probe
    }

    /** Limits probes to one a second. */
    private boolean isTimeToProbe() {
        long due = askAgain.get();
        long now = System.nanoTime();
        return now - due >= 0 && askAgain.compareAndSet(due, now + PROBE_NANOS);
    }

    /** Asks for the root's name servers, which every server knows; any answer will do. */
    private CompletableFuture<Boolean> probe() {
        return dns.ask(Name.root, Type.NS)
                .handle((_, failure) -> failure != null && !isAnswer(failure))
                .completeOnTimeout(true, PROBE_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
                .thenApply(unanswered -> {
                    away = unanswered;
                    return unanswered;
                });
    }

    /** Whether the server answered at all, even with a failure or a refusal. */
    private static boolean isAnswer(Throwable failure) {
        return failure instanceof LookupFailedException
                || (failure instanceof CompletionException && failure.getCause() instanceof LookupFailedException);
    }

    @Override
    public ResolverAnswer<String> texts(String name) {
        return ask(name, Type.TXT, MailDns::text, String::length);
    }

    @Override
    public ResolverAnswer<InetAddress> addresses(String name, boolean ipv6) {
        if (Dns.isLocalhost(name)) {
            return ResolverAnswer.without(ResolverAnswer.Status.NO_NAME); // RFC 6761 §6.3: not looked up in DNS
        }
        // The octets as received: the library's getter would turn a mapped IPv6 address into IPv4.
        return ask(
                name,
                ipv6 ? Type.AAAA : Type.A,
                record -> Host.address(name, record.rdataToWireCanonical()).address(),
                _ -> 64);
    }

    @Override
    public ResolverAnswer<String> mailExchangers(String name) {
        ResolverAnswer<Record> answer = ask(name, Type.MX, record -> record, _ -> ENTRY_BYTES);
        return answer.status() != ResolverAnswer.Status.DATA
                ? ResolverAnswer.without(answer.status())
                : new ResolverAnswer<>(
                        ResolverAnswer.Status.DATA,
                        Dns.byPreference(answer.records()).stream()
                                .map(MailExchanger::host)
                                .toList());
    }

    @Override
    public ResolverAnswer<String> names(InetAddress address) {
        return ask(
                ReverseMap.fromAddress(address).toString(),
                Type.PTR,
                record -> ((PTRRecord) record).getTarget().toString(true),
                String::length);
    }

    private static String text(Record record) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        ((TXTRecord) record).getStringsAsByteArrays().forEach(octets::writeBytes);
        return octets.toString(StandardCharsets.ISO_8859_1);
    }

    @SuppressWarnings("unchecked") // a type of record has one kind of answer
    private <T> ResolverAnswer<T> ask(String text, int type, Function<Record, T> reading, ToIntFunction<T> size) {
        Key key = new Key(text.toLowerCase(Locale.ROOT), type);
        ResolverAnswer<?> cached = cache.get(key);
        if (cached != null) {
            return (ResolverAnswer<T>) cached;
        }
        Name name = Dns.absolute(text);
        if (name == null) {
            return ResolverAnswer.without(ResolverAnswer.Status.NO_NAME);
        }
        if (away) {
            isAway();
            return ResolverAnswer.without(ResolverAnswer.Status.FAILED);
        }
        return switch (dns.answer(name, type)) {
            case DnsAnswer.Records<Record>(List<Record> records) -> cacheRecords(key, records, reading, size);
            case DnsAnswer.Missing<Record>(boolean nameExists) -> {
                ResolverAnswer<T> answer = ResolverAnswer.without(
                        nameExists ? ResolverAnswer.Status.NO_DATA : ResolverAnswer.Status.NO_NAME);
                cache.put(key, answer, ENTRY_BYTES, NOTHING_SECONDS);
                yield answer;
            }
            case DnsAnswer.Unavailable<Record> _ -> {
                isAway(); // if they are away, the next lookups need not wait for the deadline
                yield ResolverAnswer.without(ResolverAnswer.Status.FAILED);
            }
        };
    }

    private <T> ResolverAnswer<T> cacheRecords(
            Key key, List<Record> records, Function<Record, T> reading, ToIntFunction<T> size) {
        List<T> values = new ArrayList<>();
        int weight = ENTRY_BYTES;
        long seconds = LONGEST_SECONDS;
        for (Record record : records) {
            T value = reading.apply(record);
            values.add(value);
            weight += size.applyAsInt(value);
            seconds = Math.min(seconds, record.getTTL());
        }
        ResolverAnswer<T> answer = ResolverAnswer.of(values);
        cache.put(key, answer, weight, seconds);
        return answer;
    }
}
