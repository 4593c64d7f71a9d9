package dev.inboxd.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.TestPostgres;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** A start makes what is missing in the database, and leaves one alone in which nothing is. */
class MigrationsDbTest {
    @Test
    void whatIsThereIsLeftAlone() {
        Database.Location location = TestPostgres.database();
        Migrations.run(location);
        try (Database database = new Database(location, null)) {
            List<String> history = database.read(MigrationsDbTest::history);
            assertThat(history).hasSizeGreaterThan(6);
            // Flyway refuses a migration that is not the one that was run, so it is not even asked.
            database.writeGlobal(tx -> tx.sql("update flyway_schema_history set checksum = 1").run());
            Migrations.run(location);
            List<String> after = database.read(MigrationsDbTest::history);
            assertThat(after).isEqualTo(history);
        }
    }

    @Test
    void whatIsMissingIsMade() {
        Database.Location location = TestPostgres.database();
        // As an older program left it, which had fewer of them.
        Flyway.configure().dataSource(location.url(), location.user(), location.password())
                .locations("classpath:migrations").target("0006").load().migrate();
        try (Database database = new Database(location, null)) {
            List<String> before = database.read(MigrationsDbTest::history);
            assertThat(before).hasSize(6);
            Migrations.run(location);
            List<String> after = database.read(MigrationsDbTest::history);
            assertThat(after).hasSizeGreaterThan(6).containsAll(before);
            int families = database.read(tx -> tx.sql("select count(*) as n from domain_family")
                    .one(row -> row.integer("n")));
            assertThat(families).isZero();
        }
    }

    private static List<String> history(Tx tx) {
        return tx.sql("select script from flyway_schema_history where success order by installed_rank")
                .list(row -> row.text("script"));
    }
}
