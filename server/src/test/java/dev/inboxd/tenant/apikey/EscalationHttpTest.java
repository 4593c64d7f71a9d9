package dev.inboxd.tenant.apikey;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestSize;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * No sequence of calls yields a key that can do what its ancestors could not (promises.md A28). Some first keys are
 * given out; from then on, keys chosen at random make and change keys at random, over HTTP. A key's ancestors are the
 * first keys behind those that made or changed it. What a key can do is what its row gives it: which flag, where.
 */
class EscalationHttpTest {
    private static final int CALLS = TestSize.of(300, 1_500);
    private static final List<Permission> ALL = List.of(Permission.values());
    private static final List<Permission> LIKELY = List.of(
            Permission.API_KEY_CREATE,
            Permission.API_KEY_UPDATE,
            Permission.INBOX_READ,
            Permission.MESSAGE_SEND,
            Permission.PROVIDER_CONNECT,
            Permission.POD_CREATE,
            Permission.DOMAIN_CREATE,
            Permission.MESSAGE_RELEASE);

    @RegisterExtension
    private static final World world = World.start();

    private static final List<Place> PLACES = new ArrayList<>();
    private final Random random;
    private final long seed = new Random().nextLong();
    private final List<Member> family = new ArrayList<>();
    private final Map<UUID, Set<String>> firstPowers = new LinkedHashMap<>();
    private int aliases;

    EscalationHttpTest() {
        this.random = new Random(seed);
    }

    /** Where a key can be bound: the route to make one there, and the owner. */
    private record Place(String route, ApiKey.Owner owner) {}

    /** A key, and the first keys that all its power came from. */
    private record Member(UUID id, @Nullable String secret, Set<UUID> ancestors) {}

    @BeforeAll
    static void start() {
        PLACES.add(new Place("/v0", ApiKey.Owner.ORGANIZATION));
        for (String name : List.of("left", "right")) {
            String pod = world.pod(name);
            PLACES.add(new Place("/v0/pods/" + pod, new ApiKey.Owner(UUID.fromString(pod), null, null)));
            for (String username : List.of(name + "-a", name + "-b")) {
                String inbox = world.http()
                        .post("/v0/pods/" + pod + "/inboxes", json("username", username))
                        .is(200)
                        .text("inbox_id");
                PLACES.add(new Place(
                        "/v0/inboxes/" + inbox,
                        world.database()
                                .read(tx -> tx.sql(
                                                View.of(world.organization()),
                                                "select i.pod_id, i.inbox_id from inbox i where {i}"
                                                        + " and i.address = :address")
                                        .bind("address", inbox)
                                        .single(row ->
                                                new ApiKey.Owner(row.uuid("pod_id"), row.uuid("inbox_id"), inbox)))));
            }
        }
    }

    @Test
    @Proves("P10a")
    void noSequenceOfCallsYieldsAKeyThatCanDoWhatItsAncestorsCouldNot() {
        for (int i = 0; i < 12; i++) {
            first();
        }
        int done = 0;
        for (int i = 0; i < CALLS; i++) {
            done += random.nextInt(3) == 0 ? change() : make();
        }
        assertThat(done).as("seed " + seed).isBetween(CALLS / 20, CALLS - CALLS / 20);
        assertThat(family).as("seed " + seed).hasSizeGreaterThan(TestSize.of(10, 40));
    }

    private void first() {
        Place place = PLACES.get(random.nextInt(PLACES.size()));
        ApiKey.Grant grant = switch (random.nextInt(4)) {
            case 0 -> ApiKey.Grant.ROOT;
            case 1 -> ApiKey.Grant.UNRESTRICTED;
            default -> {
                Set<Permission> flags = flags();
                flags.add(Permission.API_KEY_CREATE);
                flags.add(Permission.API_KEY_UPDATE);
                yield ApiKey.Grant.of(flags);
            }
        };
        ApiKeys.IssuedKey issued = world.database()
                .write(
                        world.organization(),
                        tx -> ApiKeys.issue(
                                tx,
                                world.organization(),
                                new ApiKeys.KeySpec("first", place.owner(), grant, null, false),
                                tx.next().at()));
        UUID id = issued.key().id();
        family.add(new Member(id, issued.secret(), Set.of(id)));
        firstPowers.put(id, power(id));
    }

    private int make() {
        Member maker = member(true);
        String route = PLACES.get(random.nextInt(PLACES.size())).route();
        boolean isPublic = random.nextInt(3) == 0;
        Map<String, @Nullable Object> body = new LinkedHashMap<>(permissions());
        if (isPublic) {
            body.put(
                    "public_key",
                    Map.of(
                            "kty",
                            "EC",
                            "crv",
                            "P-256",
                            "x",
                            "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
                            "y",
                            "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"));
            body.put("client_id", "alias-" + (random.nextInt(4) == 0 ? random.nextInt(aliases + 1) : aliases++));
        }
        Answer answer = world.as(String.valueOf(maker.secret())).post(route + "/api-keys", Json.text(body));
        if (answer.status() != 200) {
            return refused(answer);
        }
        UUID id = UUID.fromString(answer.text("api_key_id"));
        if (family.stream().noneMatch(member -> member.id().equals(id))) {
            family.add(new Member(id, isPublic ? null : answer.text("api_key"), maker.ancestors()));
        } // else an alias that was registered before: nothing was made
        check(maker + " made with " + Json.text(body) + " at " + route);
        return 1;
    }

    private int change() {
        Member changer = member(true);
        Member target = random.nextInt(6) == 0 ? changer : member(false);
        Map<String, @Nullable Object> body = permissions();
        body.put("name", "renamed");
        Answer answer =
                world.as(String.valueOf(changer.secret())).patch("/v0/api-keys/" + target.id(), Json.text(body));
        if (answer.status() != 200) {
            return refused(answer);
        }
        if (body.containsKey("permissions")) {
            Set<UUID> ancestors = new HashSet<>(target.ancestors());
            ancestors.addAll(changer.ancestors());
            family.set(family.indexOf(target), new Member(target.id(), target.secret(), Set.copyOf(ancestors)));
        }
        check(changer + " changed " + target + " with " + Json.text(body));
        return 1;
    }

    private int refused(Answer answer) {
        assertThat(answer.text("code"))
                .as("seed %s: %s", seed, answer.text())
                .isIn(
                        "permission_escalation",
                        "unrestricted_key_required",
                        "missing_permission",
                        "not_found",
                        "forbidden",
                        "idempotency_conflict");
        return 0;
    }

    private void check(String what) {
        for (Member member : family) {
            Set<String> most = new HashSet<>();
            member.ancestors().forEach(ancestor -> most.addAll(firstPowers.getOrDefault(ancestor, Set.of())));
            assertThat(most).as("seed %s: %s, then %s", seed, what, member).containsAll(power(member.id()));
        }
    }

    /** Every flag at every place it reaches, and whether it is unrestricted there, as the stored row says. */
    private Set<String> power(UUID id) {
        ApiKey key = world.database()
                .read(tx -> ApiKeySql.named(tx, View.of(world.organization()), id.toString()))
                .orElseThrow();
        Set<String> power = new TreeSet<>();
        for (Place place : PLACES) {
            if (reaches(key.owner(), place.owner())) {
                key.held(false).forEach(flag -> power.add(flag + " at " + place.route()));
                if (key.grant().permissions() == null) {
                    power.add("everything at " + place.route());
                }
            }
        }
        return power;
    }

    private static boolean reaches(ApiKey.Owner owner, ApiKey.Owner place) {
        return (owner.pod() == null || owner.pod().equals(place.pod()))
                && (owner.inbox() == null || owner.inbox().equals(place.inbox()));
    }

    private Member member(boolean withSecret) {
        Member member;
        do {
            member = family.get(random.nextInt(family.size()));
        } while (withSecret && member.secret() == null);
        return member;
    }

    private Map<String, @Nullable Object> permissions() {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        switch (random.nextInt(6)) {
            case 0 -> {}
            case 1 -> body.put("permissions", null);
            default -> {
                Map<String, Boolean> said = new LinkedHashMap<>();
                flags().forEach(flag -> said.put(flag.wireName(), random.nextInt(8) > 0));
                body.put("permissions", said);
            }
        }
        return body;
    }

    private Set<Permission> flags() {
        Set<Permission> flags = EnumSet.noneOf(Permission.class);
        int number = random.nextInt(4);
        for (int i = 0; i < number; i++) {
            flags.add(
                    random.nextInt(4) == 0
                            ? ALL.get(random.nextInt(ALL.size()))
                            : LIKELY.get(random.nextInt(LIKELY.size())));
        }
        return flags;
    }
}
