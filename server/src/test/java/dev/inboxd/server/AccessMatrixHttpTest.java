package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.Route;
import dev.inboxd.server.AccessMatrix.Line;
import dev.inboxd.server.AccessMatrix.Target;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Promise P10: a key never sees or changes anything outside its scope. Every route, every scope, every target. */
class AccessMatrixHttpTest {
    private static final Path FILE = Path.of("server/src/test/resources/access-matrix.txt");
    private static final List<Line> MATRIX = AccessMatrix.read(FILE);
    private static final Map<String, Integer> SESSIONS = AccessMatrix.sessions(FILE);
    private static final Map<String, Integer> HOLDERS = AccessMatrix.holders(FILE);
    /** Routes that are typed and not there yet. */
    private static final Set<String> LATER = Set.of();
    /** The WebSocket: no plain request is answered 2xx, and {@code SocketHttpTest} opens it. */
    private static final Set<String> UPGRADED = Set.of("GET /v0");

    /** Takes the name of an inbox in its body, of which {@code HandedMailHttpTest} tells. */
    private static final Set<String> NAMING = Set.of("POST /sandbox/messages");

    /** Steps of a sign-in that only read, each of which needs the one before: the tests of {@code app} take them. */
    private static final Set<String> STEPS = Set.of(
            "GET /connect/{token}",
            "GET /v0/authorize",
            "GET /v0/authorize/status",
            "GET /v0/authorize/continue",
            "GET /v0/userinfo");

    private static final int MORE_FLAGS = 1;

    @RegisterExtension
    private static final World world = World.start();

    private static Tenants tenants;
    private static SpareThings spares;
    private static final Map<Scope, Map<Target, Tenants.Things>> THINGS = new EnumMap<>(Scope.class);
    private static final AtomicInteger NEW = new AtomicInteger();
    private static final Map<Scope, String> KEYS = new EnumMap<>(Scope.class);
    private static final Map<String, String> SINGLE = new ConcurrentHashMap<>();
    private static final Map<String, String> LACKING = new ConcurrentHashMap<>();
    private static final Map<String, List<@Nullable Object>> NOBODYS = new ConcurrentHashMap<>();

    @BeforeAll
    static void start() {
        tenants = new Tenants(world);
        spares = new SpareThings(tenants);
        for (Scope scope : Scope.values()) {
            Map<Target, Tenants.Things> things = new EnumMap<>(Target.class);
            for (Target target : Target.values()) {
                things.put(target, tenants.make(scope, target));
            }
            THINGS.put(scope, things);
            KEYS.put(scope, tenants.key(things(scope, Target.OWN), scope, null));
        }
    }

    private static String name(Route route) {
        return route.method() + " " + route.template();
    }

    @Test
    @Proves("P10")
    void everyRouteIsInTheMatrixOnce() {
        List<String> typed = MATRIX.stream().map(Line::route).toList();
        Set<String> there = new HashSet<>(
                world.routes().stream().map(AccessMatrixHttpTest::name).toList());
        assertThat(LATER).noneMatch(there::contains);
        there.addAll(LATER);
        assertThat(typed).containsExactlyInAnyOrderElementsOf(there);
        assertThat(typed).containsAll(SESSIONS.keySet()).containsAll(HOLDERS.keySet());
    }

    /** Where the own is refused like the foreign, nothing tells them apart, and the line would show nothing. */
    @Test
    @Proves("P10")
    void everyRouteOpensForSomebody() {
        Stream<Line> closed = lines().filter(line -> !line.opens()
                && !isPage(line)
                && Stream.of(SESSIONS, HOLDERS).noneMatch(other -> other.getOrDefault(line.route(), 0) / 100 == 2));
        Set<String> opened = new HashSet<>(UPGRADED);
        opened.addAll(STEPS);
        opened.addAll(NAMING);
        assertThat(closed.map(Line::route)).containsExactlyInAnyOrderElementsOf(opened);
    }

    /** A page of the console; ConsoleHttpTest and ConsoleSignInHttpTest open them all. */
    private static boolean isPage(Line line) {
        return line.isPublic() && (line.template().equals("/") || (line.template() + "/").startsWith("/console/"));
    }

    private static Stream<Line> lines() {
        return MATRIX.stream().filter(line -> !LATER.contains(line.route()));
    }

    @TestFactory
    @Proves({"P10", "A28"})
    Stream<DynamicTest> everyRouteAnswersAsTheContractSays() {
        return lines().map(line -> DynamicTest.dynamicTest(line.route(), () -> check(line)));
    }

    /** The scopes have things of their own, and go side by side. */
    private static void check(Line line) throws Exception {
        assertThat(send(null, line, Tenants.nobodys()).status())
                .as("without a key")
                .isEqualTo(line.isPublic() ? line.answer(Scope.ORGANIZATION, Target.OWN) : 401);
        if (line.isPublic()) {
            return;
        }
        atOnce(Stream.of(Scope.values())
                .<Callable<@Nullable Void>>map(scope -> () -> {
                    line.targets(scope).forEach(target -> checkTarget(line, scope, target));
                    if (line.answer(scope, Target.OWN) / 100 == 2) {
                        checkMissingFlag(line, scope);
                        checkMixedPath(line, scope);
                    }
                    return null;
                })
                .toList());
    }

    private static boolean usesUp(Line line) {
        return line.method().equals("DELETE")
                || line.template().endsWith("/drafts/{draft_id}/send")
                || isRelease(line)
                || isOfClaim(line)
                || isReview(line);
    }

    private static boolean isOfClaim(Line line) {
        return line.template().contains("_id}/claim");
    }

    private static boolean isReview(Line line) {
        return line.template().endsWith("/approve") || line.template().endsWith("/reject");
    }

    private static boolean isRelease(Line line) {
        return line.template().endsWith("/release");
    }

    /** Things of its own scope for a line that uses them up; what others need stays. */
    private static Tenants.Things spare(Line line, Scope scope) {
        boolean waits = isReview(line) || line.template().endsWith("/approval-exemptions/{address}");
        Tenants.Things things = spares.take(line, scope, waits);
        if (waits) {
            tenants.waiting(things);
        }
        if (isOfClaim(line) && !line.route().matches("POST .*/claim")) {
            return tenants.claimed(things);
        }
        return isRelease(line) ? tenants.held(things) : things;
    }

    private static void checkTarget(Line line, Scope scope, Target target) {
        Tenants.Things things = things(scope, target);
        String key = key(scope);
        if (usesUp(line) && target == Target.OWN) {
            things = spare(line, scope);
            key = tenants.key(things, scope, null);
        }
        HttpProbe.Answer answer = send(key, line, things.ids());
        String what = scope + " key, " + target + " target: " + answer.text();
        assertThat(answer.status()).as(what).isEqualTo(line.answer(scope, target));
        assertThat(answer.text()).as(what).doesNotContain(Tenants.hiddenFrom(scope));
        if (line.hasTarget() && answer.status() == 404) {
            assertThat(shape(answer))
                    .as(what)
                    .isEqualTo(target == Target.OWN ? nobodysIn(things, key, line) : nobodys(line, scope));
        }
    }

    /** In an own pod or inbox that the thing is not below, the thing alone is nobody's. */
    private static List<@Nullable Object> nobodysIn(Tenants.Things things, String key, Line line) {
        Map<String, String> nobodys = new HashMap<>(Tenants.nobodys());
        nobodys.putAll(Map.of("pod_id", things.id("pod_id"), "inbox_id", things.id("inbox_id")));
        return shape(send(key, line, nobodys));
    }

    /** What a key that may do everything in its scope is answered of nobody's things. */
    private static List<@Nullable Object> nobodys(Line line, Scope scope) {
        return NOBODYS.computeIfAbsent(line.route() + scope, _ -> shape(send(key(scope), line, Tenants.nobodys())));
    }

    /** A session may what a key of its organization may, but for what the matrix says of sessions. */
    @TestFactory
    @Proves("P10")
    Stream<DynamicTest> everyRouteAnswersASessionAsTheContractSays() {
        String session = world.session();
        return lines().filter(line -> !line.isPublic())
                .map(line -> DynamicTest.dynamicTest(line.route(), () -> checkSession(line, session)));
    }

    private static void checkSession(Line line, String session) {
        for (Target target : line.targets(Scope.ORGANIZATION)) {
            boolean spends = usesUp(line) && target == Target.OWN;
            Tenants.Things things = spends ? spare(line, Scope.ORGANIZATION) : things(Scope.ORGANIZATION, target);
            boolean ends = spends && line.template().startsWith("/console/session");
            HttpProbe.Answer answer = send(ends ? world.session() : session, line, things.ids());
            String what = "a session, " + target + " target: " + answer.text();
            assertThat(answer.status())
                    .as(what)
                    .isEqualTo(SESSIONS.getOrDefault(line.route(), line.answer(Scope.ORGANIZATION, target)));
            assertThat(answer.text()).as(what).doesNotContain(Tenants.hiddenFrom(Scope.ORGANIZATION));
            if (answer.status() == 401) {
                assertThat(answer.text("code")).isEqualTo("invalid_token_type");
            }
        }
    }

    /** What no key opens, or not the key alone, opens for whoever has what does. */
    @TestFactory
    @Proves("P10")
    Stream<DynamicTest> everyRouteAnswersWhoeverHoldsWhatOpensItAsTheContractSays() {
        Map<String, WriteRequests.Verb> doors = new PublicWriteRequests(world, new WriteRequests(world)).all();
        return HOLDERS.entrySet().stream()
                .map(line -> DynamicTest.dynamicTest(line.getKey(), () -> {
                    WriteRequests.Verb door = Objects.requireNonNull(doors.get(line.getKey()), line.getKey());
                    Objects.requireNonNull(door.untilItSucceeds(world), line.getKey())
                            .is(line.getValue());
                }));
    }

    private static void checkMissingFlag(Line line, Scope scope) {
        Permission flag = Permission.ofWire(line.flag());
        if (flag == null) {
            return;
        }
        Set<Permission> others = EnumSet.complementOf(EnumSet.of(flag, Permission.MESSAGE_REPLY));
        String key =
                LACKING.computeIfAbsent(scope + " " + flag, _ -> tenants.key(things(scope, Target.OWN), scope, others));
        HttpProbe.Answer answer = send(key, line, things(scope, Target.OWN).ids());
        assertThat(answer.status())
                .as(scope + " key without " + line.flag() + ": " + answer.text())
                .isEqualTo(403);
        assertThat(answer.at("code")).isEqualTo("missing_permission");
        assertThat(answer.text("fix")).contains(line.flag());
    }

    /** The first id of the path is the key's own, the others are another organization's. */
    private static void checkMixedPath(Line line, Scope scope) {
        String template = line.path();
        int first = template.indexOf('}');
        if (template.indexOf('{', first) < 0) {
            return;
        }
        Map<String, String> mixed = new HashMap<>(things(scope, Target.FOREIGN).ids());
        String own = template.substring(template.indexOf('{') + 1, first);
        mixed.put(own, things(scope, Target.OWN).ids().getOrDefault(own, ""));
        HttpProbe.Answer answer = send(key(scope), line, mixed);
        assertThat(answer.status())
                .as(scope + " key, mixed path: " + answer.text())
                .isEqualTo(404);
        assertThat(answer.text()).doesNotContain(Tenants.hiddenFrom(scope));
    }

    /**
     * A key with one flag alone, for every target: what it lacks is refused by name on its own things, and things of
     * others are told apart from none by nothing. Each route is asked by a key of one scope, with the flag that the
     * route wants, the one that opens other things, and one of the rest; {@link #noFlagOpensWhatAsksForAnother} asks
     * with keys of every scope and with all flags.
     */
    @TestFactory
    @Proves("P10")
    Stream<DynamicTest> oneFlagOpensNothingThatAsksForAnother() {
        return oneFlagTests(AccessMatrixHttpTest::oneScope, AccessMatrixHttpTest::someFlags);
    }

    /** The same with every scope and flag, which is most of the requests of this class. */
    @TestFactory
    @Tag("long")
    @Proves("P10")
    Stream<DynamicTest> noFlagOpensWhatAsksForAnother() {
        return oneFlagTests(_ -> Set.of(Scope.values()), _ -> Set.of(Permission.values()));
    }

    private static Stream<DynamicTest> oneFlagTests(
            Function<Line, Set<Scope>> scopes, Function<Line, Set<Permission>> flags) {
        return lines().filter(line -> Permission.ofWire(line.flag()) != null)
                .map(line -> DynamicTest.dynamicTest(
                        line.route(),
                        () -> atOnce(scopes.apply(line).stream()
                                .flatMap(scope -> flags.apply(line).stream()
                                        .<Callable<@Nullable Void>>map(flag -> () -> {
                                            checkOneFlag(line, scope, flag);
                                            return null;
                                        }))
                                .toList())));
    }

    /** By its name, so that each scope has a third of the routes. */
    private static Set<Scope> oneScope(Line line) {
        Scope[] all = Scope.values();
        return Set.of(all[Math.floorMod(line.route().hashCode(), all.length)]);
    }

    private static Set<Permission> someFlags(Line line) {
        Set<Permission> flags = EnumSet.of(Permission.MESSAGE_REPLY);
        Optional.ofNullable(Permission.ofWire(line.flag())).ifPresent(flags::add);
        Permission[] all = Permission.values();
        int first = Math.floorMod(line.route().hashCode(), all.length);
        for (int i = 0; i < MORE_FLAGS; i++) {
            flags.add(all[(first + i) % all.length]);
        }
        return flags;
    }

    private static void atOnce(List<Callable<@Nullable Void>> checks) throws Exception {
        try (ExecutorService threads =
                Executors.newFixedThreadPool(8, Thread.ofVirtual().factory())) {
            for (Future<@Nullable Void> check : threads.invokeAll(checks)) {
                check.get();
            }
        }
    }

    private static void checkOneFlag(Line line, Scope scope, Permission flag) {
        boolean asked = line.flag().equals(flag.wireName()) || opensInstead(flag, line);
        String key = SINGLE.computeIfAbsent(
                scope + " " + flag, _ -> tenants.key(things(scope, Target.OWN), scope, Set.of(flag)));
        // What is nobody's is answered by whether the flag is the one asked for, not by which other one it is.
        List<@Nullable Object> nobodys =
                NOBODYS.computeIfAbsent(line.route() + scope + asked, _ -> shape(send(key, line, Tenants.nobodys())));
        for (Target target : line.targets(scope)) {
            boolean own = target == Target.OWN;
            if (own && asked) {
                continue; // what a held flag opens, the other tests say
            }
            HttpProbe.Answer answer = send(key, line, things(scope, target).ids());
            String what = scope + " key with " + flag + " alone, " + target + " target: " + answer.text();
            assertThat(answer.text()).as(what).doesNotContain(Tenants.hiddenFrom(scope));
            if (own) {
                assertThat(answer.status()).as(what).isEqualTo(403);
                boolean level =
                        line.answer(scope, target) == 403 && answer.text("code").equals("forbidden");
                assertThat(level || answer.text("fix").contains(line.flag()))
                        .as(what)
                        .isTrue();
            } else {
                assertThat(answer.status()).as(what).isIn(403, 404);
                assertThat(shape(answer)).as(what).isEqualTo(nobodys);
            }
        }
    }

    private static boolean opensInstead(Permission flag, Line line) {
        return flag == Permission.MESSAGE_REPLY
                && (line.template().endsWith("/reply") || line.template().endsWith("/reply-all"));
    }

    private static Tenants.Things things(Scope scope, Target target) {
        return Objects.requireNonNull(Objects.requireNonNull(THINGS.get(scope)).get(target));
    }

    private static String key(Scope scope) {
        return Objects.requireNonNull(KEYS.get(scope));
    }

    private static HttpProbe.Answer send(@Nullable String key, Line line, Map<String, String> ids) {
        String body = line.body().replace("{new}", "new-" + NEW.incrementAndGet());
        return HttpProbe.of(world.httpPort(), key).send(line.method(), line.request(ids), body);
    }

    /** An answer without what is different in every answer. */
    private static List<@Nullable Object> shape(HttpProbe.Answer answer) {
        return Stream.of("name", "code", "message", "fix", "errors")
                .<@Nullable Object>map(answer::at)
                .toList();
    }

    @Test
    @Tag("long")
    void theMarksAreSeenByThoseWhoMaySeeThem() {
        // Changes without mail are read by the next look at each organization, a quarter of a minute later.
        Eventually.await(Duration.ofMinutes(2), world::isIndexed);
        for (Scope scope : Scope.values()) {
            HttpProbe.Answer list = world.as(key(scope))
                    .get("/v0/threads?include_unauthenticated=true")
                    .is(200);
            assertThat(list.text()).contains(Tenants.OWN);
            for (String search : List.of("/v0/threads/search", "/v0/inboxes/search")) {
                assertThat(world.as(key(scope))
                                .get(search + "?limit=100&q=" + AccessMatrix.WORD)
                                .is(200)
                                .text())
                        .as(scope + " key, " + search)
                        .contains(Tenants.OWN)
                        .doesNotContain(Tenants.hiddenFrom(scope));
            }
        }
        Tenants.Things foreign = things(Scope.INBOX, Target.FOREIGN);
        String key = tenants.key(foreign, Scope.ORGANIZATION, null);
        assertThat(world.as(key).get("/v0/threads?include_unauthenticated=true").text())
                .contains(Tenants.FOREIGN);
    }
}
