package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.inboxd.testing.LoopbackServer;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** A database that cannot be used is named as the operator wrote it, with the cause and without the password. */
class ConnectionFailureDbTest {
    private static final ConnectionFailure.Patience NONE = new ConnectionFailure.Patience(1, 0);

    @Test
    void aHostThatDoesNotExist() {
        assertThat(said("jdbc:postgresql://no-such-host.invalid:5433/mail"))
                .isEqualTo("The database postgresql://joe:***@no-such-host.invalid:5433/mail cannot be used: there is"
                        + " no host no-such-host.invalid. Check the spelling, and that this machine can look it up.");
    }

    @Test
    void aPortAtWhichNothingListens() throws IOException {
        int nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = free.getLocalPort();
        }
        assertThat(said("jdbc:postgresql://127.0.0.1:" + nobody + "/mail?sslpassword=canary&ssl=false"))
                .contains(":" + nobody + "/mail?sslpassword=***&ssl=false", "nothing listens there");
    }

    @Test
    void aServerThatIsNoPostgres() {
        try (LoopbackServer other = new LoopbackServer(_ -> {})) {
            assertThat(said("jdbc:postgresql://127.0.0.1:" + other.address().getPort() + "/mail"))
                    .startsWith("The database postgresql://joe:***@127.0.0.1");
        }
    }

    @Test
    void aWrongPasswordAndADatabaseThatIsNotThere() {
        Database.Location there = TestPostgres.database();
        String server = there.url().substring(0, there.url().lastIndexOf('/') + 1);
        assertThat(said(new Database.Location(there.url(), there.user(), "canary", 1)))
                .contains("the password of the user " + there.user() + " is wrong");
        assertThat(said(new Database.Location(server + "nothing", there.user(), there.password(), 1)))
                .contains("database \"nothing\" does not exist. Create it with createdb");
    }

    private static String said(String url) {
        return said(new Database.Location(url, "joe", "canary", 1));
    }

    private static String said(Database.Location location) {
        Throwable failure = catchThrowable(() -> ConnectionFailure.require(location, NONE));
        assertThat(failure).isInstanceOf(ConnectionFailure.class);
        // One line, without the password and without what only a programmer can read.
        assertThat(failure.getMessage()).doesNotContain("canary", "\n", "Exception", "java.", "org.");
        return String.valueOf(failure.getMessage());
    }
}
