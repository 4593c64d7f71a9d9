package dev.inboxd.mailbox.spam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.time.ClockPosition;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose turn it is to be learned from. */
class SpamTrainerDbTest {
    private Database database;

    @BeforeEach
    void start() {
        Database.Location location = TestPostgres.migrated();
        database = new Database(location, () -> ClockPosition.REAL);
    }

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    @Proves("P15b")
    void whoMarksInBulkKeepsNobodyElseWaiting() {
        UUID one = organization(140);
        UUID other = organization(140);
        UUID small = organization(1);
        List<UUID> read = new ArrayList<>();
        SpamTrainer learning = new SpamTrainer(database, new SpamModels(database), (organization, _) -> {
            read.add(organization);
            return Optional.empty();
        });
        learning.trainNow(List.of(one, other, small));
        assertThat(read).as("everything is learned").hasSize(281);
        assertThat(read.subList(0, 101))
                .as("everybody has had a turn before anybody has a second one")
                .contains(one, other, small);
    }

    @Test
    @Proves("P15b")
    void oneMessageThatCannotBeReadKeepsNoOtherFromBeingLearned() {
        UUID broken = organization(60);
        UUID fine = organization(1);
        List<UUID> read = new ArrayList<>();
        SpamTrainer learning = new SpamTrainer(database, new SpamModels(database), (organization, _) -> {
            read.add(organization);
            if (organization.equals(broken)) {
                throw new StackOverflowError("planted");
            }
            return Optional.empty();
        });
        learning.trainNow(List.of(broken, fine));
        assertThat(read).hasSize(61).contains(fine);
        learning.trainNow(List.of(broken, fine));
        assertThat(read).as("none of it is looked at again").hasSize(61);
    }

    /** One that has marked so many messages. */
    private UUID organization(int marks) {
        UUID organization = database.writeGlobal(tx -> new Organizations(database, InstantSource.system())
                        .create(tx, Uuid7.next(), Organization.Type.CONSOLE, null))
                .organization()
                .id();
        database.run(organization, tx -> {
            RoundTrip trip = tx.roundTrip();
            SpamMarks.appendMarks(
                    trip,
                    View.of(organization),
                    Stream.generate(Uuid7::next).limit(marks).toList(),
                    true);
            trip.run();
        });
        return organization;
    }
}
