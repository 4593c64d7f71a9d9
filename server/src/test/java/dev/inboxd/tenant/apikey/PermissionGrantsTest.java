package dev.inboxd.tenant.apikey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.testing.Proves;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** No child holds what its parent lacks, for any parent, tier and request. */
class PermissionGrantsTest {
    private static final int FAMILIES = 20_000;
    private static final UUID ID = new UUID(1, 1);
    private static final ApiKey.Owner POD = new ApiKey.Owner(ID, null, null);
    private static final ApiKey.Owner INBOX = new ApiKey.Owner(ID, ID, "a@b.test");

    @Test
    @Proves({"P10a", "A28"})
    void noChildHoldsWhatItsParentLacks() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int born = 0;
        for (int i = 0; i < FAMILIES; i++) {
            ApiKey parent = key(owner(random), grant(random));
            boolean unverified = random.nextInt(4) == 0;
            Authority giver = authority(parent, unverified);
            RequestedPermissions request = request(random, parent);
            ApiKey.Owner owner = within(parent.owner(), random);
            ApiKey.Grant grant = granted(giver, owner.scope(), request);
            if (grant != null) {
                born++;
                ApiKey child = key(owner, grant);
                String family = "seed " + seed + ": " + parent + " asked for " + request;
                assertThat(parent.held(unverified)).as(family).containsAll(child.held(unverified));
                assertThat(parent.grant().permissions() == null || child.grant().permissions() != null)
                        .as(family)
                        .isTrue();
            }
        }
        assertThat(born).as("seed " + seed).isBetween(FAMILIES / 10, FAMILIES - 1);
    }

    @Test
    void aRefusalListsEveryFlagBeyondTheCallers() {
        Authority giver =
                authority(key(ApiKey.Owner.ORGANIZATION, ApiKey.Grant.of(Set.of(Permission.INBOX_READ))), false);
        RequestedPermissions request = new RequestedPermissions.Listed(Map.of(
                Permission.INBOX_READ,
                true,
                Permission.MESSAGE_SEND,
                true,
                Permission.POD_CREATE,
                true,
                Permission.DRAFT_SEND,
                false));
        assertThatThrownBy(() -> PermissionGrants.forNew(giver, Scope.ORGANIZATION, request))
                .isInstanceOfSatisfying(Problem.class, problem -> {
                    assertThat(problem.code()).isEqualTo(ErrorCode.PERMISSION_ESCALATION);
                    assertThat(problem.fix())
                            .contains("message_send", "pod_create")
                            .doesNotContain("inbox_read", "draft_send");
                });
    }

    @Test
    void aNewKeyConnectsToAppsOnlyWhenThatIsSaid() {
        Authority root = authority(key(ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT), false);
        assertThat(PermissionGrants.forNew(root, Scope.ORGANIZATION, new RequestedPermissions.Omitted())
                        .named())
                .isEmpty();
        assertThat(PermissionGrants.forNew(root, Scope.ORGANIZATION, new RequestedPermissions.Unrestricted())
                        .named())
                .isEmpty();
        assertThat(PermissionGrants.forNew(
                                root,
                                Scope.ORGANIZATION,
                                new RequestedPermissions.Listed(Map.of(Permission.PROVIDER_CONNECT, true)))
                        .named())
                .containsExactly(Permission.PROVIDER_CONNECT);
    }

    private static ApiKey.@Nullable Grant granted(Authority giver, Scope target, RequestedPermissions request) {
        try {
            return PermissionGrants.forNew(giver, target, request);
        } catch (Problem refused) {
            assertThat(refused.code()).isIn(ErrorCode.PERMISSION_ESCALATION, ErrorCode.UNRESTRICTED_KEY_REQUIRED);
            return null;
        }
    }

    private static RequestedPermissions request(Random random, ApiKey parent) {
        return switch (random.nextInt(5)) {
            case 0 -> new RequestedPermissions.Omitted();
            case 1 -> new RequestedPermissions.Unrestricted();
            case 2 -> new RequestedPermissions.Listed(said(random, EnumSet.allOf(Permission.class)));
            default -> new RequestedPermissions.Listed(said(random, parent.held(false)));
        };
    }

    private static Map<Permission, Boolean> said(Random random, Set<Permission> among) {
        Map<Permission, Boolean> said = new EnumMap<>(Permission.class);
        among.forEach(flag -> {
            if (random.nextInt(3) > 0) {
                said.put(flag, random.nextInt(4) > 0);
            }
        });
        return said;
    }

    private static ApiKey.Grant grant(Random random) {
        if (random.nextInt(3) == 0) {
            return random.nextBoolean() ? ApiKey.Grant.ROOT : ApiKey.Grant.UNRESTRICTED;
        }
        int likely = 1 + random.nextInt(9);
        Set<Permission> flags = EnumSet.allOf(Permission.class);
        flags.removeIf(_ -> random.nextInt(10) >= likely);
        return ApiKey.Grant.of(flags);
    }

    private static ApiKey.Owner owner(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> POD;
            case 1 -> INBOX;
            default -> ApiKey.Owner.ORGANIZATION;
        };
    }

    /** The parent's tier or a narrower one, as the view of a path gives it. */
    private static ApiKey.Owner within(ApiKey.Owner parent, Random random) {
        return switch (parent.scope()) {
            case ORGANIZATION -> owner(random);
            case POD -> random.nextBoolean() ? POD : INBOX;
            case INBOX -> INBOX;
        };
    }

    private static ApiKey key(ApiKey.Owner owner, ApiKey.Grant grant) {
        return new ApiKey(
                ID,
                "key",
                new ApiKey.Family.Bearer("inb_12345678"),
                owner,
                grant,
                null,
                null,
                Instant.EPOCH,
                Instant.EPOCH);
    }

    private static Authority authority(ApiKey key, boolean unverified) {
        return new Authority(key.held(unverified), key.grant().permissions() == null, null, false, false);
    }
}
