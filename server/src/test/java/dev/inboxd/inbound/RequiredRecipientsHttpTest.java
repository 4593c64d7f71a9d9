package dev.inboxd.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who must always be there: RFC 5321 §4.5.1, RFC 2142 §5 (ruling 27). */
class RequiredRecipientsHttpTest {
    private static final List<String> REQUIRED =
            List.of("postmaster", "Postmaster@mail.localhost", "abuse@mail.localhost");

    @Test
    void theirMailGoesToTheInboxThatTheOperatorNames() {
        try (World world = World.start(Map.of("INBOXD_OPERATOR_INBOX", "ops@mail.localhost"))) {
            String inbox = world.inbox("ops");
            REQUIRED.forEach(
                    address -> assertThat(world.mail("jo@example.com", address, "Subject: " + address + "\n\nHi.\n"))
                            .startsWith("250"));
            assertThat(world.http()
                            .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true")
                            .is(200)
                            .list("messages"))
                    .hasSize(REQUIRED.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody@mail.localhost", "ops@elsewhere.test"})
    void theyAreNotRefusedWhereTheOperatorNamesNoInboxThatIsHere(String named) {
        try (World world = World.start(Map.of("INBOXD_OPERATOR_INBOX", named))) {
            REQUIRED.forEach(
                    address -> assertThat(world.mail("jo@example.com", address, "Subject: " + address + "\n\nHi.\n"))
                            .startsWith("250"));
            int taken = world.database()
                    .read(tx -> tx.sqlAcrossTenants("select count(*) as n from message m join inbox i"
                                    + " on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id"
                                    + " where i.address = 'postmaster@mail.localhost'")
                            .single(row -> row.integer("n")));
            assertThat(taken).isEqualTo(REQUIRED.size());
        }
    }
}
