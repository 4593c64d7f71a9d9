package dev.inboxd.notify.delivery;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Keys for tests, of the first key's organization. */
public final class TestKeys {
    private TestKeys() {}

    /** A client with a key of the organization that holds these flags alone. */
    public static HttpProbe with(World world, Permission... flags) {
        return world.as(issue(world, ApiKey.Owner.ORGANIZATION, Set.of(flags)));
    }

    /** A client with an unrestricted key of a pod. */
    public static HttpProbe ofPod(World world, String pod) {
        return world.as(issue(world, new ApiKey.Owner(UUID.fromString(pod), null, null), null));
    }

    /** A client with an unrestricted key of an inbox. */
    public static HttpProbe ofInbox(World world, String address) {
        UUID organization = world.organization();
        return world.as(world.database()
                .read(tx -> InboxScopeResolver.find(tx, View.of(organization), address))
                .map(inbox -> issue(world, new ApiKey.Owner(inbox.pod(), inbox.id(), null), null))
                .orElseThrow());
    }

    private static String issue(World world, ApiKey.Owner owner, @Nullable Set<Permission> flags) {
        UUID organization = world.organization();
        return world.database()
                .write(
                        organization,
                        tx -> ApiKeys.issue(
                                tx,
                                organization,
                                new ApiKeys.KeySpec(
                                        "test",
                                        owner,
                                        flags == null ? ApiKey.Grant.ROOT : ApiKey.Grant.of(flags),
                                        null,
                                        false),
                                world.clock().instant()))
                .secret();
    }
}
