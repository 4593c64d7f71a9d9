package dev.inboxd.chaos;

import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Two nodes behind a balancer are replaced one after the other while clients work: {@code RollingUpgrade [FOLDER]}.
 * Nodes of this program are replaced by nodes that have two migrations more, and come back beside them. With the folder
 * of an earlier build, nodes of that come first. No client may notice: nothing is refused or cut off, and nothing is
 * lost or doubled.
 */
public final class RollingUpgrade {
    private static final String DRAIN = "3s";
    private static final int MAILS = 60;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
    private static final Duration ARRIVAL_LIMIT = Duration.ofMinutes(1);
    /** Sessions of other servers are short; those that are open at the end of the drain would hear 421. */
    private static final Load.Size SIZE = new Load.Size(4, 2, 3);

    private final Path folder;
    private final DebianPostgres server;
    private final SuiteReport report;
    private final Path blobs;

    private RollingUpgrade(Path folder, DebianPostgres server, SuiteReport report) {
        this.folder = folder;
        this.server = server;
        this.report = report;
        this.blobs = folder.resolve("blobs");
    }

    /** Runs it; ends with {@code N passed, M failed} and that status. */
    public static void main(String[] arguments) throws IOException {
        String missing = DebianPostgres.missing() + Balancer.missing();
        if (!missing.isEmpty()) {
            System.out.println("suite rolling: " + missing + "\n0 passed, 1 failed");
            System.exit(1);
        }
        Path folder = DebianPostgres.folder("inboxd-rolling");
        SuiteReport report = new SuiteReport();
        try (DebianPostgres server = DebianPostgres.create(folder, "postgres", "max_connections=100")) {
            List<String> earlier = arguments.length == 0 ? List.of() : program(Path.of(arguments[0]));
            new RollingUpgrade(folder, server, report).run(earlier);
        }
        System.exit(report.close(folder));
    }

    /** The command of a build in that folder. */
    private static List<String> program(Path build) throws IOException {
        try (Stream<Path> jars = Files.list(build)) {
            Path jar = jars.filter(each -> each.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
            List<String> command = new ArrayList<>(NodeCluster.program());
            command.removeIf(option -> option.startsWith("-XX:AOTCache=")); // of another class path
            command.set(command.size() - 2, jar + ":" + build.resolve("lib") + "/*");
            return command;
        }
    }

    /**
     * A step: a node is stopped and started again.
     *
     * @param node its name
     * @param program what it is then
     * @param words what this shows
     */
    private record Step(String node, List<String> program, String words) {}

    /** A node, which is another process after a step. */
    private static final class Node {
        private final Service.Place place;
        private Service service;

        Node(Service.Place place, List<String> program) {
            this.place = place;
            this.service = started(program);
        }

        void start(List<String> program) {
            service = started(program);
        }

        private Service started(List<String> program) {
            return Service.start(
                    new Service.Place(program, place.data(), place.httpPort(), place.smtpPort(), place.settings()));
        }
    }

    private void run(List<String> earlier) throws IOException {
        List<String> now = NodeCluster.program();
        List<String> later = LaterProgram.of(now, folder);
        List<String> first = earlier.isEmpty() ? now : earlier;
        List<Step> steps = new ArrayList<>();
        if (!earlier.isEmpty()) {
            steps.add(new Step("one", now, "this program comes, and the earlier one stays beside it"));
            steps.add(new Step("two", earlier, "the earlier program starts on the tables of this one"));
            steps.add(new Step("one", earlier, "this program is taken back"));
            steps.add(new Step("one", now, "this program comes again"));
            steps.add(new Step("two", now, "this program is alone"));
        }
        steps.add(new Step("one", later, "a later program migrates, and this one stays beside it"));
        steps.add(new Step("two", now, "this program starts on the tables of the later one"));
        steps.add(new Step("two", later, "the later program is alone"));
        Node one = new Node(place("one"), first);
        Node two = new Node(place("two"), first);
        String key = one.service.key();
        try (Balancer balancer = Balancer.start(folder, one.place, two.place);
                Ledger ledger = new Ledger(folder.resolve("ledger"));
                WebhookReceiver postbox = new WebhookReceiver()) {
            Deadline.await("both nodes are up", () -> balancer.isUp("one") && balancer.isUp("two"));
            Service.Place front =
                    new Service.Place(List.of(), folder, balancer.httpPort(), balancer.smtpPort(), Map.of());
            Load load = new Load(front, ledger, key);
            load.hook(postbox.url());
            load.start(SIZE, balancer.smtpPort(), 1);
            more(ledger);
            for (Step step : steps) {
                replace(step, step.node.equals("one") ? one : two, balancer);
                int before = load.refused();
                more(ledger);
                report.add(
                        step.words,
                        load.refused() == 0 && load.strange().isEmpty(),
                        ledger.acknowledged().size() + " acknowledged, not now " + before + " " + load.refusals()
                                + ", strange " + load.strange() + ", schema " + schema());
            }
            load.finish();
            report.add("the later program has migrated", LaterProgram.VERSION.equals(schema()), "schema " + schema());
            kept(ledger, postbox, new Api(front, key));
        } finally {
            one.service.terminate(STOP_LIMIT);
            two.service.terminate(STOP_LIMIT);
        }
    }

    private Service.Place place(String name) {
        return new Service.Place(
                List.of(),
                folder.resolve(name),
                FreePort.find(),
                FreePort.find(),
                Map.of(
                        "INBOXD_DATABASE_URL",
                        "postgres://inboxd:" + DebianPostgres.PASSWORD + "@" + server.host() + "/inboxd",
                        "INBOXD_BLOB_URL",
                        blobs.toUri().toString(),
                        "INBOXD_SECRET_KEY",
                        "0123456789abcdef".repeat(3),
                        "INBOXD_DRAIN",
                        DRAIN,
                        "INBOXD_TRUSTED_PROXIES",
                        "127.0.0.1",
                        "INBOXD_SMTP_PROXIES",
                        "proxy"));
    }

    /** As an operator does: stop, start, and wait until the balancer uses it. */
    private void replace(Step step, Node node, Balancer balancer) {
        long began = System.nanoTime();
        int status = node.service.terminate(STOP_LIMIT);
        long stopped = System.nanoTime();
        boolean left = !balancer.isUp(step.node);
        node.start(step.program);
        Deadline.await("the balancer uses the node", () -> balancer.isUp(step.node));
        report.add(
                "node " + step.node + " stops in good order, left by the balancer, and comes back",
                status == 0 && left,
                "status " + status + ", stopped in "
                        + Duration.ofNanos(stopped - began).toMillis()
                        + " ms, used again after "
                        + Duration.ofNanos(System.nanoTime() - stopped).toMillis() + " ms");
    }

    private static void more(Ledger ledger) {
        long before = ledger.mails();
        Deadline.await("more mail is stored", () -> ledger.mails() >= before + MAILS);
    }

    private String schema() {
        try (Connection connection = server.connect("inboxd");
                var statement = connection.createStatement();
                var found = statement.executeQuery("select max(version) from flyway_schema_history")) {
            found.next();
            return found.getString(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void kept(Ledger ledger, WebhookReceiver postbox, Api api) {
        List<String> missing = new ArrayList<>();
        Eventually.isMet(ARRIVAL_LIMIT, () -> {
            missing.clear();
            missing.addAll(postbox.missing(ledger));
            StoredState truth = stored();
            ledger.acknowledged().stream()
                    .filter(Ledger.Send.class::isInstance)
                    .map(Ledger.Send.class::cast)
                    .filter(send -> Verdict.copies(send, truth) == 0)
                    .forEach(send -> missing.add(send.toString()));
            return missing.isEmpty();
        });
        report.add(
                "every arrival reached the webhook, every recipient here has what was sent",
                missing.isEmpty() && postbox.renamed().isEmpty(),
                postbox.received() + " posts, missing " + missing);
        Verdict verdict = Verdict.of(ledger.acknowledged(), ledger.intended(), stored());
        report.add("what was acknowledged is there, once", verdict.isClean(), verdict.toString());
        List<String> wrong = api.wrong(ledger.acknowledged());
        report.add("the API lists every mail once and gives its octets", wrong.isEmpty(), wrong.toString());
    }

    private StoredState stored() {
        try (Connection connection = server.connect("inboxd")) {
            return StoredState.of(connection, blobs);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
