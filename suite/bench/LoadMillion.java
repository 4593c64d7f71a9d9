import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.link.Links;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.Rates;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.event.EventLog;
import dev.inboxd.inbound.AutoReplyLabel;
import dev.inboxd.inbound.InboundLimits;
import dev.inboxd.inbound.InboundStorage;
import dev.inboxd.inbound.InboundStore;
import dev.inboxd.inbound.authentication.LoopbackTrust;
import dev.inboxd.inbound.authentication.MessageAuthentication;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.inbound.filter.ContentFilters;
import dev.inboxd.inbound.filter.SpamClassifier;
import dev.inboxd.mail.screen.ScreenVerdict;
import dev.inboxd.mailbox.content.LargeMessages;
import dev.inboxd.mailbox.content.ReadableContentCache;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.spam.SpamModels;
import dev.inboxd.net.MailDns;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.screening.HeldCopies;
import dev.inboxd.screening.MessageScreen;
import dev.inboxd.sending.feedback.Feedback;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.inbox.KnownRecipients;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.organization.SecurityMode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts messages of 4 KB into one organization of a running service, by the product's own receiving path, as a node of
 * its own on the same database: what is stored and indexed is what mail from other inboxes would be. Every tenth goes
 * to one inbox, the others to nine more. Message number n is always the same, so a run that was stopped goes on where
 * it was; what it repeats is absorbed as a repeated delivery.
 *
 * <p>Words follow Zipf's law. Planted: "quokkarare" in ten messages of each inbox's hundred thousand, "onepercentword"
 * in 1 %, "thirtypercentword" in 30 %.
 */
final class LoadMillion {
    private static final int INBOXES = 10;
    private static final int SESSIONS = 24;
    private static final int VOCABULARY = 60_000;
    private static final int BODY = 3_500;
    private static final double[] FREQUENCY = frequencies();

    private final Database database;
    private final InboundStore ingest;
    private final String domain;
    private final List<Inbox> inboxes = new ArrayList<>();
    private UUID organization = new UUID(0, 0);

    private LoadMillion(Database database, Path folder, String domain) throws IOException {
        this.database = database;
        this.domain = domain;
        EventLog log = new EventLog(_ -> {});
        KnownRecipients recipients = new KnownRecipients(new AddressDirectory(database, domain, "nobody@" + domain));
        Links links = new Links(URI.create("http://127.0.0.1"), List.of(new byte[32]), InstantSource.system());
        Blobs blobs = Blobs.at(folder.resolve("blobs").toString());
        this.ingest = new InboundStore(new InboundStore.Parts(
                database,
                recipients,
                new LargeMessages(database, blobs),
                new InboundStorage(
                        log,
                        links,
                        new ReadableContentCache(),
                        StorageQuota.NONE,
                        MessageScreen.of(SecurityMode.OFF, _ -> ScreenVerdict.CLEAR, Duration.ofSeconds(2)),
                        new HeldCopies(database, new Messages(database), new MessageContents(blobs)),
                        (_, _, _, _) -> {}),
                new InboundLimits(
                        database,
                        new Budgets(database, InstantSource.system()),
                        new InboundLimits.Limits(Rates.NONE.mail(), StorageQuota.NONE),
                        new Metrics()),
                new MessageAuthentication(
                        new MailDns(List.of(), Duration.ofSeconds(1)),
                        new MessageAuthentication.Policy(
                                domain, false, _ -> false, LoopbackTrust.NONE, LookupFaults.NONE),
                        InstantSource.system()),
                new Feedback(database, log, new ReturnPaths(List.of(new byte[32])), (_, _) -> false),
                new ContentFilters(
                        new SpamClassifier(new SpamModels(database), InstantSource.system()),
                        null,
                        null,
                        InstantSource.system()),
                new AutoReplyLabel(true)));
    }

    /**
     * Arguments: JDBC URL, role, password, domain, the folder that keeps the position, how many messages there shall
     * be. Prints "key KEY" and "inbox ADDRESS", then progress, then "loaded N".
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createDirectories(Path.of(arguments[4]));
        Database.Location location = new Database.Location(arguments[0], arguments[1], arguments[2], 4);
        try (Database database = new Database(location, null)) {
            LoadMillion load = new LoadMillion(database, folder, arguments[3]);
            Path known = folder.resolve("organization");
            if (!Files.exists(known)) {
                Files.writeString(known, load.found());
            }
            String[] lines = Files.readString(known).split("\n");
            load.open(UUID.fromString(lines[0]));
            System.out.println("key " + lines[1]);
            System.out.println("inbox " + load.inboxes.getFirst().address());
            load.to(Long.parseLong(arguments[5]), folder.resolve("position"));
        }
    }

    /** Makes the organization; returns its id and a key of it. */
    private String found() {
        return database.writeGlobal(tx -> {
            UUID id = Uuid7.next();
            Instant now = Instant.now();
            UUID pod = new Organizations(database, InstantSource.system())
                    .create(tx, id, Organization.Type.CONSOLE, null)
                    .pod();
            for (int i = 0; i < INBOXES; i++) {
                Inboxes.open(tx, id, pod, "load" + i + "@" + domain, now);
            }
            ApiKeys.KeySpec order =
                    new ApiKeys.KeySpec("Load", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT, null, false);
            return id + "\n" + ApiKeys.issue(tx, id, order, now).secret();
        });
    }

    private void open(UUID id) {
        organization = id;
        View view = View.of(id);
        for (int i = 0; i < INBOXES; i++) {
            String address = "load" + i + "@" + domain;
            inboxes.add(database.read(tx -> InboxScopeResolver.find(tx, view, address))
                    .orElseThrow());
        }
    }

    private void to(long wanted, Path position) throws Exception {
        long begin = Files.exists(position)
                ? Long.parseLong(Files.readString(position).strip())
                : 0;
        AtomicLong next = new AtomicLong(begin);
        AtomicLong done = new AtomicLong(begin);
        List<Thread> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(Thread.startVirtualThread(() -> {
                for (long n = next.getAndIncrement(); n < wanted; n = next.getAndIncrement()) {
                    deliver(n);
                    done.incrementAndGet();
                }
            }));
        }
        long start = System.nanoTime();
        while (sessions.stream().anyMatch(Thread::isAlive)) {
            Thread.sleep(1_000);
            long now = done.get();
            // Those under way when we are stopped are repeated.
            Files.writeString(position, Long.toString(Math.max(begin, now - SESSIONS)));
            double rate = (now - begin) / ((System.nanoTime() - start) / 1e9);
            System.out.printf(
                    "progress %d of %d, %.0f a second, %.0f s to go%n",
                    now, wanted, rate, (wanted - now) / Math.max(rate, 1));
        }
        if (done.get() < wanted) {
            throw new IllegalStateException("a session failed");
        }
        Files.writeString(position, Long.toString(wanted));
        System.out.println("loaded " + wanted);
    }

    private void deliver(long n) {
        String message = message(n);
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        Inbox inbox = inboxes.get((int) (n % INBOXES));
        RawMessage raw = new RawMessage(
                "load-" + n,
                bytes.length,
                HexFormat.of().formatHex(Digests.sha256(message)),
                () -> new ByteArrayInputStream(bytes),
                false);
        ingest.deliverLocally(
                "sender" + n % 997 + "@" + domain,
                new AddressDirectory.Destination(organization, inbox.id()),
                List.of(inbox.address()),
                raw);
    }

    private String message(long n) {
        Random random = new Random(n);
        long inInbox = n / INBOXES;
        StringBuilder message = new StringBuilder("From: Sender " + n % 997 + " <sender" + n % 997 + "@" + domain
                + ">\r\nTo: load" + n % INBOXES + "@" + domain + "\r\nMessage-ID: <load-" + n + "@" + domain
                + ">\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
                + "Content-Type: text/plain; charset=utf-8"
                + "\r\nSubject:");
        for (int i = 0; i < 5; i++) {
            message.append(' ').append(word(random));
        }
        message.append("\r\n\r\n");
        message.append(inInbox % 10_000 == 37 ? "quokkarare " : "")
                .append(inInbox % 100 == 5 ? "onepercentword " : "")
                .append(inInbox % 10 < 3 ? "thirtypercentword " : "");
        int line = message.length();
        for (int end = message.length() + BODY; message.length() < end; ) {
            message.append(random.nextInt(100) == 0 ? Long.toString(random.nextLong(1L << 40), 36) : word(random));
            boolean full = message.length() - line > 70;
            message.append(full ? "\r\n" : " ");
            line = full ? message.length() : line;
        }
        return message.append("\r\n").toString();
    }

    /** A word of the vocabulary, the rarer the longer. */
    private static String word(Random random) {
        int place = Arrays.binarySearch(FREQUENCY, random.nextDouble());
        int rank = Math.min(VOCABULARY - 1, place < 0 ? -place - 1 : place);
        StringBuilder word = new StringBuilder();
        for (int rest = rank + 20; rest > 0; rest /= 20) {
            word.append("bcdfghklmnprstvwzjxy".charAt(rest % 20)).append("aeiou".charAt((rest + rank) % 5));
        }
        return word.toString();
    }

    private static double[] frequencies() {
        double[] sums = new double[VOCABULARY];
        double sum = 0;
        for (int i = 0; i < VOCABULARY; i++) {
            sum += 1 / Math.pow(i + 2.7, 1.07);
            sums[i] = sum;
        }
        for (int i = 0; i < VOCABULARY; i++) {
            sums[i] /= sum;
        }
        return sums;
    }
}
