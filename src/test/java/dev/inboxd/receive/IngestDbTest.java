package dev.inboxd.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.World;
import dev.inboxd.database.View;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a 250 leaves in the database. */
class IngestDbTest {
    private static World world;

    @BeforeAll
    static void start() {
        world = World.start();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @Test
    void aReplyJoinsTheThreadOfWhatItAnswers() {
        String inbox = world.inbox("threads");
        assertThat(world.mail("jo@example.com", inbox, mail("<t1@x.test>", ""))).startsWith("250");
        assertThat(world.mail("jo@example.com", inbox, mail("<t2@x.test>", "In-Reply-To: <t1@x.test>\n")))
                .startsWith("250");
        assertThat(count("select count(*) as n from thread t where t.organization_id = {organization}"
                + " and t.message_count = 2")).isEqualTo(1);
    }

    @Test
    void aTrueRedeliveryIsAbsorbedAndAnotherMessageOfTheSameNameIsKept() {
        String inbox = world.inbox("again");
        String first = mail("<same@x.test>", "X-Mark: again\n");
        assertThat(world.mail("jo@example.com", inbox, first)).startsWith("250");
        assertThat(world.mail("jo@example.com", inbox, first)).startsWith("250");
        assertThat(world.mail("jo@example.com", inbox, first + "More.\n")).startsWith("250");
        assertThat(count("select count(*) as n from message m join inbox i on i.inbox_id = m.inbox_id"
                + " where m.organization_id = {organization} and i.organization_id = {organization}"
                + " and i.address = 'again@mail.localhost'")).isEqualTo(2);
    }

    @Test
    void mailForOthersIsNotRelayed() {
        assertThat(world.mail("jo@example.com", "someone@elsewhere.test", mail("<r@x.test>", ""))).startsWith("550 5.7.1");
        assertThat(world.mail("jo@example.com", "nobody@mail.localhost", mail("<r@x.test>", ""))).startsWith("550 5.1.1");
    }

    private static String mail(String id, String more) {
        return "From: Jo <jo@example.com>\nTo: agent@mail.localhost\nSubject: Hello\nMessage-ID: " + id + "\n" + more
                + "\nHello there.\n";
    }

    private static int count(String sql) {
        UUID organization = UUID.fromString(world.database().read(tx -> tx.sqlAcross(
                "select o.organization_id::text as id from organization o where o.type = 'console'")
                .one(row -> row.text("id"))));
        return world.database().read(tx -> tx.sql(View.of(organization), sql).one(row -> row.integer("n")));
    }
}
