package dev.inboxd.app.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.app.registry.App;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.testing.TestPostgres;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The keys that sign ID tokens, on several nodes at once. */
class ProviderKeysDbTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");

    private final Vault vault = new Vault(List.of(Base64.getEncoder().encodeToString(new byte[32])));

    /** The second node looked at its clock before the first one did, and found the key that the first one made. */
    @Test
    void aFirstKeyThatAnotherNodeMadeAMomentLaterSigns() {
        var location = TestPostgres.migrated();
        try (Database database = new Database(location, null)) {
            var first = new ProviderKeys(database, vault, InstantSource.fixed(NOW.plusMillis(80)));
            var second = new ProviderKeys(database, vault, InstantSource.fixed(NOW));
            for (App.IdTokenAlg alg : App.IdTokenAlg.values()) {
                String made = first.current(alg).getKeyID();
                assertThat(second.current(alg).getKeyID()).isEqualTo(made);
            }
        } finally {
            TestPostgres.leave(location);
        }
    }
}
