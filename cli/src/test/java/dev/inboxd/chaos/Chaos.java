package dev.inboxd.chaos;

import dev.inboxd.chaos.Ledger.Deed;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Kills the service under load and looks what is left: {@code Chaos [--kills N] [--seed S] PROGRAM...}. Every choice
 * comes from the seed, which is printed, so that a failed run can be repeated as far as processes can be.
 */
public final class Chaos {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(10);
    private static final Duration ARRIVAL_LIMIT = Duration.ofMinutes(1);
    private static final Duration LIE = Duration.ofMillis(50);
    private static final int REPEATS_KILLS = 3;
    private static final Load.Size USUAL = new Load.Size(4, 2);

    private final List<String> program;
    private final int kills;
    private final long seed;
    private final Random random;
    private int passed;
    private int failed;

    /** What can happen to the service. */
    private enum Fault {
        SERVER_KILLED,
        POSTGRES_KILLED,
        BOTH_KILLED,
        TERMINATED
    }

    private Chaos(List<String> program, int kills, long seed) {
        this.program = List.copyOf(program);
        this.kills = kills;
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** Runs it all; ends with {@code N passed, M failed} and that status. */
    public static void main(String[] arguments) throws IOException {
        List<String> program = new ArrayList<>(List.of(arguments));
        int kills = 4;
        long seed = System.nanoTime() & 0xffff_ffffL;
        while (!program.isEmpty() && program.getFirst().startsWith("--")) {
            String option = program.removeFirst();
            String value = program.removeFirst();
            switch (option) {
                case "--kills" -> kills = Integer.parseInt(value);
                case "--seed" -> seed = Long.parseLong(value);
                default -> throw new IllegalArgumentException("What is " + option + "?");
            }
        }
        Chaos chaos = new Chaos(program, kills, seed);
        chaos.run();
        System.out.println(chaos.passed + " passed, " + chaos.failed + " failed");
        System.exit(chaos.failed == 0 ? 0 : 1);
    }

    private void run() throws IOException {
        System.out.println("chaos: " + kills + " faults, --seed " + seed);
        Path folder = Files.createTempDirectory("inboxd-chaos");
        boolean whole = false;
        try {
            faults(folder);
            repeats(folder);
            plantedFault(folder);
            whole = failed == 0;
        } finally {
            if (whole) {
                delete(folder);
            } else {
                System.out.println("What is left lies in " + folder);
            }
        }
    }

    private void faults(Path folder) throws IOException {
        Service.Place place = place(folder.resolve("data"));
        Service service = Service.start(place);
        try (Ledger ledger = new Ledger(folder.resolve("ledger"));
                WebhookReceiver postbox = new WebhookReceiver()) {
            String key = service.key();
            Load load = new Load(place, ledger, key);
            load.hook(postbox.url());
            load.start(USUAL, place.smtpPort(), seed);
            List<Fault> faults = new ArrayList<>();
            for (int round = 1; round <= kills; round++) {
                if (faults.isEmpty()) {
                    Collections.addAll(faults, Fault.values());
                    Collections.shuffle(faults, random);
                }
                Fault fault = faults.removeFirst();
                LockSupport.parkNanos(
                        Duration.ofMillis(200 + random.nextInt(1_500)).toNanos());
                long began = System.nanoTime();
                @Nullable String complaint = suffer(fault, service, ledger);
                if (!service.isAlive()) {
                    service = Service.start(place);
                }
                long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
                Verdict verdict = judge(ledger, place);
                report(
                        "round " + round + ", " + fault + ", up again after " + millis + " ms",
                        verdict.isClean() && complaint == null,
                        verdict + (complaint == null ? "" : "; " + complaint));
            }
            load.finish();
            Verdict verdict = judge(ledger, place);
            report(
                    "in the end",
                    verdict.isClean() && load.strange().isEmpty(),
                    verdict + "; " + load.refused() + " times not now; strange answers: " + load.strange());
            arrivals(ledger, place, postbox);
            shown(new Api(place, key), ledger);
        } finally {
            service.terminate(STOP_LIMIT);
        }
    }

    /** Lets the fault happen; returns what is wrong with how the service took it. */
    private static @Nullable String suffer(Fault fault, Service service, Ledger ledger) {
        switch (fault) {
            case SERVER_KILLED -> service.kill();
            case BOTH_KILLED -> service.killAll();
            case TERMINATED -> {
                int status = service.terminate(STOP_LIMIT);
                return status == 0 ? null : "it ended with status " + status;
            }
            case POSTGRES_KILLED -> {
                service.killPostgres();
                return recovers(service, ledger);
            }
        }
        return null;
    }

    /** Whether the server gets itself a new database: something new is acknowledged soon. */
    private static @Nullable String recovers(Service service, Ledger ledger) {
        Set<Deed> before = ledger.acknowledged();
        Set<Deed> pending = ledger.intended();
        // What was begun after the database had died and is acknowledged was stored by the new one.
        boolean stores = Eventually.isMet(
                RECOVERY_LIMIT,
                () -> !service.isAlive()
                        || ledger.acknowledged().stream()
                                .anyMatch(deed -> !before.contains(deed) && !pending.contains(deed)));
        if (!service.isAlive()) {
            return "the server ended with its database";
        }
        return stores
                ? null
                : "nothing was acknowledged within " + RECOVERY_LIMIT.toSeconds() + " s of the database's death";
    }

    /**
     * Promises P4 and P5: however often requests are repeated, and whenever the service dies, each makes one message.
     */
    private void repeats(Path folder) throws IOException {
        Service.Place place = place(folder.resolve("repeats"));
        Service service = Service.start(place);
        try (Ledger ledger = new Ledger(folder.resolve("repeats.ledger"))) {
            String inbox = new Load(place, ledger, service.key()).open("repeats");
            RepeatedSends repeats = new RepeatedSends(place, service.key(), inbox);
            long began = System.nanoTime();
            repeats.start(seed);
            for (int kill = 1; kill <= REPEATS_KILLS; kill++) {
                int answered = RepeatedSends.REQUESTS * kill / (REPEATS_KILLS + 1);
                Deadline.await("requests are answered", () -> repeats.answered() >= answered);
                if (kill % 2 == 0) {
                    service.killAll();
                } else {
                    service.kill();
                }
                service = Service.start(place);
            }
            repeats.finish();
            List<String> wrong = repeats.wrong(StoredState.of(place.data()));
            report(
                    RepeatedSends.SENDERS + " senders of the same " + RepeatedSends.KEYS + " keys, "
                            + RepeatedSends.UNNAMED_SENDERS * RepeatedSends.UNNAMED_EACH + " requests without a key, "
                            + REPEATS_KILLS
                            + " kills",
                    wrong.isEmpty(),
                    repeats + " in "
                            + Duration.ofNanos(System.nanoTime() - began).toSeconds() + " s; wrong: "
                            + wrong.stream().limit(5).toList());
        } finally {
            service.terminate(STOP_LIMIT);
        }
    }

    /** The same harness on a server whose 250 comes too early must report a loss; else its silence proves nothing. */
    private void plantedFault(Path folder) throws IOException {
        Service.Place place = place(folder.resolve("planted"));
        Service service = Service.start(place);
        try (Ledger ledger = new Ledger(folder.resolve("planted.ledger"));
                LyingProxy proxy = new LyingProxy(place.smtpPort(), LIE)) {
            String key = service.key();
            Load load = new Load(place, ledger, key);
            load.start(new Load.Size(8, 0), proxy.port(), seed);
            LockSupport.parkNanos(Duration.ofMillis(1_500).toNanos());
            service.kill();
            service = Service.start(place);
            load.finish();
            Verdict verdict = judge(ledger, place);
            report(
                    "planted fault, 250 before the commit: the harness sees a loss",
                    !verdict.lost().isEmpty(),
                    verdict.toString());
            List<String> untold = PlantedFaults.untold(place, ledger, key);
            report(
                    "planted faults, a doubling, a missing event and a changed bit: the harness sees each",
                    untold.isEmpty(),
                    "not seen: " + untold);
        } finally {
            service.terminate(STOP_LIMIT);
        }
    }

    /** What is promised for later: every arrival was told to the webhook, every local recipient got what was sent. */
    private void arrivals(Ledger ledger, Service.Place place, WebhookReceiver postbox) {
        Eventually.isMet(ARRIVAL_LIMIT, () -> missing(ledger, place, postbox).isEmpty());
        List<String> missing = missing(ledger, place, postbox);
        report(
                "every arrival reached the webhook, every local recipient got what was sent",
                missing.isEmpty() && postbox.renamed().isEmpty(),
                postbox.received() + " posts, " + missing.size() + " missing "
                        + missing.stream().limit(5).toList() + ", events with two ids: " + postbox.renamed());
    }

    /** What users see in the end: each mail once in its list, and the octets that were sent. */
    private void shown(Api api, Ledger ledger) {
        List<String> wrong = api.wrong(ledger.acknowledged());
        report(
                "the API lists every mail once and gives its octets",
                wrong.isEmpty(),
                wrong.size() + " wrong " + wrong.stream().limit(5).toList());
    }

    private static List<String> missing(Ledger ledger, Service.Place place, WebhookReceiver postbox) {
        StoredState truth = StoredState.of(place.data());
        List<String> missing = new ArrayList<>(postbox.missing(ledger));
        for (Deed deed : ledger.acknowledged()) {
            if (deed instanceof Ledger.Send send && Verdict.copies(send, truth) == 0) {
                missing.add(send.toString());
            }
        }
        return missing;
    }

    private static Verdict judge(Ledger ledger, Service.Place place) {
        Set<Deed> acknowledged = ledger.acknowledged();
        StoredState truth = StoredState.of(place.data());
        return Verdict.of(acknowledged, ledger.intended(), truth);
    }

    private void report(String what, boolean good, String detail) {
        passed += good ? 1 : 0;
        failed += good ? 0 : 1;
        System.out.println((good ? "ok      " : "FAILED  ") + what + ": " + detail);
    }

    private Service.Place place(Path data) throws IOException {
        return new Service.Place(program, data, FreePort.find(), FreePort.find(), Map.of());
    }

    private static void delete(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Collections.reverseOrder()).toList()) {
                Files.deleteIfExists(path); // a database that is just stopping removes files of its own
            }
        }
    }
}
