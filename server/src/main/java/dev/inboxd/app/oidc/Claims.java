package dev.inboxd.app.oidc;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What an app is told of an inbox, by the scopes that were granted (apps.md §6.7). */
final class Claims {
    private final Vault vault;

    /** @param vault gives a human a name that tells nothing and is always the same */
    Claims(Vault vault) {
        this.vault = vault;
    }

    /** The claims that the ID token and userinfo share. */
    static Map<String, Object> ofInbox(UUID organization, Inbox inbox, List<String> scopes) {
        Map<String, Object> claims = new LinkedHashMap<>();
        // The internal id lives and ends with the inbox: an address that is made again is another subject (ruling 59).
        claims.put("sub", inbox.id().toString());
        claims.put("actor_type", "agent");
        if (scopes.contains("email")) {
            claims.put("email", inbox.address());
            claims.put("email_verified", true);
        }
        if (scopes.contains("profile")) {
            if (inbox.displayName() != null && !inbox.displayName().isEmpty()) {
                claims.put("name", inbox.displayName());
            }
            claims.put("org", organization.toString());
        }
        return claims;
    }

    /** What userinfo tells beyond that, of the human behind the organization (ruling 47). */
    Map<String, Object> ofOwner(Tx tx, UUID organization, List<String> scopes) {
        Map<String, Object> claims = new LinkedHashMap<>();
        Organization stored = Organizations.find(tx, organization).orElse(null);
        String human = stored == null || stored.isUnverified() ? null : email(stored);
        if (human != null) {
            if (scopes.contains("profile") || scopes.contains("owner_profile")) {
                claims.put("owner_sub", subject(human));
            }
            if (scopes.contains("owner_email")) {
                claims.put("owner_email", human);
                claims.put("owner_email_verified", true);
            }
        }
        return claims;
    }

    private static @Nullable String email(Organization organization) {
        return organization.humanEmail();
    }

    /** The same for all agents of a human at all apps, and of no use to find the human by. */
    private String subject(String human) {
        ByteBuffer mac = ByteBuffer.wrap(Arrays.copyOf(vault.mac("owner subject", human), 16));
        return new UUID(mac.getLong(), mac.getLong()).toString();
    }
}
