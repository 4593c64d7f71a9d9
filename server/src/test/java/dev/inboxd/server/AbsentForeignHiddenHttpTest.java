package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.StatementRecorder;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.AccessMatrix.Line;
import dev.inboxd.server.AccessMatrix.Target;
import dev.inboxd.testing.Proves;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Promise P10: what is nobody's, what is another's and what is hidden from a key are told apart by no time either. All
 * three send the same statements in the same order, and PostgreSQL runs a statement by one plan whatever its values
 * are. {@code suite/bench/run --only timing} prints how long each takes.
 */
class AbsentForeignHiddenHttpTest {
    private static final List<Line> MATRIX = AccessMatrix.read(Path.of("server/src/test/resources/access-matrix.txt"));
    private static final Set<Permission> ALL_BUT_LABELS = EnumSet.complementOf(EnumSet.of(
            Permission.LABEL_SPAM_READ,
            Permission.LABEL_BLOCKED_READ,
            Permission.LABEL_UNAUTHENTICATED_READ,
            Permission.LABEL_TRASH_READ));

    private static final AtomicInteger COMPARED = new AtomicInteger();
    private static StatementRecorder recorder;
    private static World world;
    private static final Map<Scope, Caller> CALLERS = new EnumMap<>(Scope.class);

    /**
     * Who asks, and for what.
     *
     * @param key may do everything in its scope
     * @param blind may do everything too, and read no restricted label: of the mail that came to these tenants, none
     */
    private record Caller(Scope scope, String key, String blind, Map<Target, Tenants.Things> things) {
        Map<String, String> ids(Target target) {
            return Objects.requireNonNull(things.get(target)).ids();
        }
    }

    @BeforeAll
    static void start() {
        recorder = StatementRecorder.start();
        world = World.start(Map.of(), recorder::before);
        Tenants tenants = new Tenants(world);
        for (Scope scope : Scope.values()) {
            Map<Target, Tenants.Things> things = new EnumMap<>(Target.class);
            Stream.of(Target.values()).forEach(target -> things.put(target, tenants.make(scope, target)));
            Tenants.Things own = Objects.requireNonNull(things.get(Target.OWN));
            CALLERS.put(
                    scope,
                    new Caller(scope, tenants.key(own, scope, null), tenants.key(own, scope, ALL_BUT_LABELS), things));
        }
    }

    @AfterAll
    static void stop() {
        world.close();
        recorder.close();
        assertThat(COMPARED.get()).as("pairs of requests").isGreaterThan(600);
    }

    @TestFactory
    @Proves("P10")
    Stream<DynamicTest> theSameStatementsAreSentForAll() {
        return MATRIX.stream()
                .filter(line -> line.hasTarget() && !line.isPublic())
                .map(line -> DynamicTest.dynamicTest(
                        line.route(),
                        () -> CALLERS.values().forEach(caller -> {
                            compareForeign(line, caller);
                            compareForeignBelowOwn(line, caller);
                            compareHidden(line, caller);
                        })));
    }

    /** All that the path names is another's, or nobody's. */
    private static void compareForeign(Line line, Caller caller) {
        for (Target target : line.targets(caller.scope())) {
            if (target != Target.OWN && line.answer(caller.scope(), target) == 404) {
                compare(line, caller.key(), caller.ids(target), Tenants.nobodys());
            }
        }
    }

    /** The first thing that the path names is the caller's own, and what is below it is another's, or nobody's. */
    private static void compareForeignBelowOwn(Line line, Caller caller) {
        String template = line.path();
        int end = template.indexOf('}');
        if (template.indexOf('{', end) < 0 || line.answer(caller.scope(), Target.OWN) == 403) {
            return;
        }
        String first = template.substring(template.indexOf('{') + 1, end);
        String own = caller.ids(Target.OWN).getOrDefault(first, "");
        for (Target target : line.targets(caller.scope())) {
            if (target != Target.OWN) {
                compare(line, caller.key(), with(caller.ids(target), first, own), with(Tenants.nobodys(), first, own));
            }
        }
    }

    /** The caller's own mail, behind a label that it may not read. */
    private static void compareHidden(Line line, Caller caller) {
        boolean mail =
                line.template().contains("{message_id}") || line.template().contains("{thread_id}");
        if (!mail || line.answer(caller.scope(), Target.OWN) == 403) {
            return;
        }
        Map<String, String> own = caller.ids(Target.OWN);
        Map<String, String> nobodys = new HashMap<>(own);
        for (String name : List.of("message_id", "thread_id", "attachment_id")) {
            nobodys.put(name, Tenants.nobodys().getOrDefault(name, ""));
        }
        compare(line, caller.blind(), own, nobodys);
    }

    private static Map<String, String> with(Map<String, String> ids, String name, String id) {
        Map<String, String> changed = new HashMap<>(ids);
        changed.put(name, id);
        return changed;
    }

    private static void compare(Line line, String key, Map<String, String> there, Map<String, String> nobodys) {
        List<String> absent = statements(line, key, nobodys);
        assertThat(absent).isNotEmpty();
        assertThat(statements(line, key, there)).as(line.request(there)).isEqualTo(absent);
        COMPARED.incrementAndGet();
    }

    /** Without the note of a change: the first writer after a look at the organization adds that, now or then. */
    private static List<String> statements(Line line, String key, Map<String, String> ids) {
        return recorder
                .during(() -> HttpProbe.of(world.httpPort(), key)
                        .send(line.method(), line.request(ids), line.body())
                        .is(404))
                .stream()
                .filter(statement -> !statement.startsWith("insert into due_work "))
                .toList();
    }
}
