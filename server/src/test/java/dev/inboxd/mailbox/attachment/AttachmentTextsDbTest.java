package dev.inboxd.mailbox.attachment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.testing.TestPostgres;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AttachmentTextsDbTest {
    private static final UUID BUSY = new UUID(1, 1);
    private static final UUID QUIET = new UUID(2, 2);

    @Test
    void anOrganizationHasItsOwnTextsReadTheLongestDueFirst() {
        Database.Location location = TestPostgres.migrated();
        try (Database database = new Database(location, null)) {
            for (int i = 0; i < 50; i++) {
                due(database, BUSY, i, 1_000 - i);
            }
            due(database, QUIET, 100, 10);
            due(database, QUIET, 101, 5);
            due(database, QUIET, 102, -60);
            assertThat(database.<List<UUID>>read(tx -> AttachmentTexts.due(tx, View.of(QUIET), 4)))
                    .as("one is not due yet")
                    .containsExactly(id(100), id(101));
            assertThat(database.<List<UUID>>read(tx -> AttachmentTexts.due(tx, View.of(BUSY), 2)))
                    .containsExactly(id(0), id(1));
        }
    }

    private static void due(Database database, UUID organization, int number, int secondsAgo) {
        database.writeGlobal(tx -> tx.sqlAcrossTenants("""
                insert into attachment (organization_id, attachment_id, inbox_id, message_id, thread_id, part,
                media_type,
                                        inline, size, text_due_at)
                values (:organization, :id, :id, :id, :id, 0, 'text/plain', false, 1,
                        now() - make_interval(secs => :ago))""")
                .bind("organization", organization)
                .bind("id", id(number))
                .bind("ago", secondsAgo)
                .run());
    }

    private static UUID id(int number) {
        return new UUID(0, number);
    }
}
