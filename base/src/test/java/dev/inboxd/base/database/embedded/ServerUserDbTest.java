package dev.inboxd.base.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Root where user namespaces are forbidden, as in most containers. Only root can try. */
class ServerUserDbTest {
    private Path parent = Path.of("");

    @BeforeEach
    void makeAFolderAnyoneMayEnter() throws Exception {
        assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "not root");
        parent = Files.createTempDirectory("inboxd-account-");
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void removeIt() throws Exception {
        if (!parent.toString().isEmpty()) {
            DurableFolders.delete(parent);
        }
    }

    @Test
    @Tag("long")
    void rootRunsTheServerUnderAnotherAccountAndBackAgain() throws Exception {
        Path data = parent.resolve("data");
        for (ServerUser account : new ServerUser[] {ServerUser.service(), ServerUser.current(), ServerUser.service()}) {
            try (var postgres = EmbeddedPostgres.start(data, data.resolve("programs"), account)) {
                assertThat(Queries.ask(postgres, "select current_user")).isEqualTo("inboxd");
                assertThat(Files.getAttribute(Path.of("/proc/" + postgres.processId()), "unix:uid"))
                        .isEqualTo(account.uid());
            }
        }
    }

    @Test
    @Tag("long")
    void aFolderTheAccountCannotReachIsRefusedWithAdvice() throws Exception {
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx------"));
        Path data = parent.resolve("data");
        assertThatThrownBy(() -> EmbeddedPostgres.start(data, data.resolve("programs"), ServerUser.service()))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining(parent.toString())
                .hasMessageContaining("INBOXD_DATA_DIR");
    }
}
