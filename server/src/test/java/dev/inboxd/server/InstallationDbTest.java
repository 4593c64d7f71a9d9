package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.config.Settings;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database has one master key and one blob store; no start with others changes anything. */
class InstallationDbTest {
    private static final String KEY = "a master key of thirty-two characters";
    private static final String OTHER = "another key of thirty-two characters!";

    @TempDir
    private Path folder;

    private Database database;

    @BeforeEach
    void connect() {
        database = new Database(TestPostgres.migrated(), null);
    }

    @AfterEach
    void disconnect() {
        database.close();
    }

    private Settings settings(String data, String... more) {
        Map<String, String> environment = new HashMap<>();
        environment.put("INBOXD_DATA_DIR", folder.resolve(data).toString());
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return Settings.read(environment, Map.of());
    }

    private PlatformModule.Storage open(Settings settings) {
        Blobs blobs = Blobs.at(settings.storage().blobs().toString());
        return Installation.open(settings, database, blobs, InstantSource.system());
    }

    @Test
    void aFirstStartMakesAKeyAndAStoreIdWhichLaterStartsKeep() throws IOException {
        Settings settings = settings("data");
        byte[] sealed = open(settings).vault().seal("test", new byte[] {1});
        Path key = folder.resolve("data/secret.key");
        Path marker = folder.resolve("data/blobs/store.id");
        String made = Files.readString(key);
        String store = Files.readString(marker);
        assertThat(open(settings).vault().open("test", sealed)).containsExactly(1);
        assertThat(key).content().isEqualTo(made);
        assertThat(marker).content().isEqualTo(store);
        assertThat(Installation.of(database).orElseThrow().store()).hasToString(store.strip());
    }

    @Test
    void anotherMasterKeyIsRefusedAtTheStart() {
        open(settings("data", "INBOXD_SECRET_KEY", KEY));
        assertThatThrownBy(() -> open(settings("data", "INBOXD_SECRET_KEY", OTHER)))
                .isInstanceOf(InstallationException.class)
                .hasMessageContaining("give the key used before, after the new one");
        open(settings("data", "INBOXD_SECRET_KEY", OTHER + "," + KEY));
        open(settings("data", "INBOXD_SECRET_KEY", KEY));
    }

    @Test
    void aStartWithoutTheKeyThatTheDatabaseNeedsMakesNone() {
        open(settings("data", "INBOXD_SECRET_KEY", KEY));
        assertThatThrownBy(() -> open(settings("data")))
                .isInstanceOf(InstallationException.class)
                .hasMessageContaining("is none here");
        assertThat(folder.resolve("data/secret.key")).doesNotExist();
    }

    @Test
    void aDatabaseFromBeforeTheCheckValueGetsOneOnlyFromTheKeyThatSealedItsSecrets() throws IOException {
        Settings settings = settings("data", "INBOXD_SECRET_KEY", KEY);
        new SigningKeys(database, open(settings).vault()).ensure("mail.localhost", Instant.EPOCH);
        forget();
        assertThatThrownBy(() -> open(settings("data", "INBOXD_SECRET_KEY", OTHER)))
                .isInstanceOf(InstallationException.class)
                .hasMessageContaining("give the key used before, after the new one");
        assertThatThrownBy(() -> open(settings("lost"))).isInstanceOf(InstallationException.class);
        assertThat(folder.resolve("lost/secret.key")).doesNotExist();
        assertThat(Installation.of(database)).isEmpty();
        Files.delete(folder.resolve("data/blobs/store.id"));
        open(settings);
        assertThat(Installation.of(database)).isPresent();
    }

    @Test
    void aStoreFromBeforeTheMarkerGetsOne() throws IOException {
        Settings settings = settings("data", "INBOXD_SECRET_KEY", KEY);
        open(settings);
        forget();
        Path marker = folder.resolve("data/blobs/store.id");
        Files.delete(marker);
        open(settings);
        assertThat(marker).exists();
    }

    private void forget() {
        database.writeGlobal(tx -> tx.sql("delete from installation").run());
    }

    @Test
    void aNodeWithAnotherStoreIsRefused() {
        open(settings("one", "INBOXD_SECRET_KEY", KEY));
        assertThatThrownBy(() -> open(settings("two", "INBOXD_SECRET_KEY", KEY)))
                .isInstanceOf(InstallationException.class)
                .hasMessageContaining("its disk is not mounted")
                .hasMessageContaining("INBOXD_BLOB_URL");
        assertThat(folder.resolve("two/blobs/store.id")).doesNotExist();
        String shared = folder.resolve("one/blobs").toUri().toString();
        open(settings("two", "INBOXD_SECRET_KEY", KEY, "INBOXD_BLOB_URL", shared));
    }

    @Test
    void theStoreOfAnotherDatabaseIsRefusedAlsoAtAFirstStart() {
        Settings settings = settings("data", "INBOXD_SECRET_KEY", KEY);
        open(settings);
        try (Database second = new Database(TestPostgres.migrated(), null)) {
            Blobs blobs = Blobs.at(settings.storage().blobs().toString());
            assertThatThrownBy(() -> Installation.open(settings, second, blobs, InstantSource.system()))
                    .isInstanceOf(InstallationException.class)
                    .hasMessageContaining("belongs to another installation");
        }
    }

    @Test
    void ofManyFirstStartsAtOnceOneMakesTheInstallation() throws Exception {
        List<Callable<UUID>> starts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            starts.add(() -> {
                open(settings("data", "INBOXD_SECRET_KEY", KEY));
                return Installation.of(database).orElseThrow().store();
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<UUID> stores = new ArrayList<>();
            for (Future<UUID> start : threads.invokeAll(starts)) {
                stores.add(start.get());
            }
            assertThat(stores).hasSize(6).containsOnly(stores.getFirst());
        }
    }

    @Test
    void commandsLearnTheModeAndTheNamesOfTheLastStart() {
        open(settings("data", "INBOXD_SECRET_KEY", KEY));
        Settings production = settings(
                "data",
                "INBOXD_SECRET_KEY",
                KEY,
                "INBOXD_MODE",
                "production",
                "INBOXD_DOMAIN",
                "agents.example.com",
                "INBOXD_PUBLIC_URL",
                "https://api.example.com");
        open(production);
        assertThat(Installation.of(database).orElseThrow().settings())
                .containsEntry("INBOXD_MODE", "production")
                .containsEntry("INBOXD_DOMAIN", "agents.example.com")
                .containsEntry("INBOXD_MX_HOST", "mx.agents.example.com")
                .containsEntry("INBOXD_PUBLIC_URL", "https://api.example.com");
    }
}
