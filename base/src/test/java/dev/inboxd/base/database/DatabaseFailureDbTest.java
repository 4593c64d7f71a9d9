package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.testing.TestPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DatabaseFailureDbTest {
    /** Failures are logged, and what is in mail is not. */
    @Test
    @Tag("long")
    void aFailureDoesNotTellTheRowThatWasRefused() {
        try (Database database = new Database(TestPostgres.migrated(), null)) {
            database.writeGlobal(
                    tx -> tx.sql("create table kept (word text check (word <> 'secret'), other text unique)")
                            .run());
            DatabaseFailure refused =
                    failure(database, "insert into kept (word, other) values ('secret', 'confidential')");
            assertThat(refused.toString())
                    .contains("violates check constraint")
                    .doesNotContain("secret", "confidential");
            database.writeGlobal(tx ->
                    tx.sql("insert into kept (other) values ('confidential')").run());
            DatabaseFailure twice = failure(database, "insert into kept (other) values ('confidential')");
            assertThat(twice.isDuplicate()).isTrue();
            assertThat(twice).hasStackTraceContaining("violates unique constraint");
            assertThat(twice.toString()).doesNotContain("confidential");
            assertThat(String.valueOf(twice.getCause())).doesNotContain("confidential");
        }
    }

    /** Not as a database that is busy or away: nobody would look for the fault. */
    @Test
    void aStatementThatTheServerDoesNotSupportIsAFaultOfOursAndCostsNoConnection() {
        Database.Location location = TestPostgres.migrated();
        Database.Location one = new Database.Location(location.url(), location.user(), location.password(), 1);
        try (Database database = new Database(one, null)) {
            int before = process(database);
            assertThat(failure(database, "select 1 from elsewhere.public.kept"))
                    .hasMessageStartingWith(
                            "This database cannot run a statement of inboxd, which is a fault of inboxd:")
                    .matches(failed -> !failed.isTransient());
            assertThat(process(database)).isEqualTo(before);
        }
    }

    private static int process(Database database) {
        return database.read(tx -> tx.sql("select pg_backend_pid() as pid").single(row -> row.integer("pid")));
    }

    private static DatabaseFailure failure(Database database, String statement) {
        return catchThrowableOfType(
                DatabaseFailure.class,
                () -> database.writeGlobal(tx -> tx.sql(statement).run()));
    }
}
