package dev.inboxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Catalogs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.SchemaException;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.cli.doctor.Doctor;
import dev.inboxd.config.SettingValues;
import dev.inboxd.testing.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that an earlier revision made is refused with one sentence, and stays as it is. */
class EarlierRevisionDbTest {
    private static final String SENTENCE = "The database has the tables of another revision of inboxd, which this one"
            + " cannot use: name an empty database in INBOXD_DATABASE_URL or, for the embedded one, a new data folder"
            + " in INBOXD_DATA_DIR.";

    @TempDir
    private Path data;

    private final Database.Location location = TestPostgres.database();
    private String before = "";

    @BeforeEach
    void makeEarlierTables() {
        Flyway.configure()
                .dataSource(location.url(), location.user(), location.password())
                .locations("classpath:earlier-migrations")
                .load()
                .migrate();
        before = contents();
        assertThat(before)
                .contains(
                        "V0001__start.sql",
                        "V0002__keys.sql",
                        "V0003__pods_and_domains.sql",
                        "table organization",
                        "2026-01-01");
    }

    @AfterEach
    void nothingHasChanged() {
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void migrationsRefuseIt() {
        assertThatThrownBy(() -> Migrations.run(location))
                .isInstanceOf(SchemaException.class)
                .hasMessage(SENTENCE);
    }

    @Test
    void aStartEndsWithTheSentenceAlone() {
        PrintStream usual = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            System.setErr(err);
            assertThat(Main.commandLine()
                            .execute(
                                    "serve",
                                    "--data-dir",
                                    data.toString(),
                                    "--database-url",
                                    TestPostgres.setting(location),
                                    "--http-port",
                                    "0",
                                    "--smtp-port",
                                    "0",
                                    "--submission-port",
                                    "0"))
                    .isOne();
        } finally {
            System.setErr(usual);
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .isEqualTo("inboxd cannot start: " + SENTENCE + System.lineSeparator());
    }

    @Test
    void aCommandOfTheOperatorEndsWithTheSentenceAlone() {
        StringWriter err = new StringWriter();
        assertThat(Main.commandLine()
                        .setErr(new PrintWriter(err))
                        .execute(
                                "org",
                                "list",
                                "--data-dir",
                                data.toString(),
                                "--database-url",
                                TestPostgres.setting(location)))
                .isOne();
        assertThat(err).hasToString("inboxd org list: " + SENTENCE + System.lineSeparator());
    }

    @Test
    void doctorSaysThatNoStartIsPossible() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        SettingValues values = new SettingValues(
                Map.of(), Map.of("--data-dir", data.toString(), "--database-url", TestPostgres.setting(location)));
        assertThat(Doctor.examine(values, new PrintStream(said, true, StandardCharsets.UTF_8)))
                .isOne();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("FAIL  tables: The database has the tables of another revision of inboxd")
                .contains("no start is possible. Name an empty database in INBOXD_DATABASE_URL");
    }

    @Test
    void aBackupNamesWhatCanBackItUp() {
        StringWriter err = new StringWriter();
        assertThat(Main.commandLine()
                        .setErr(new PrintWriter(err))
                        .execute(
                                "backup",
                                "--to",
                                data.resolve("backups").toString(),
                                "--data-dir",
                                data.toString(),
                                "--database-url",
                                TestPostgres.setting(location)))
                .isOne();
        assertThat(err.toString())
                .contains("another revision of inboxd")
                .contains("make the backup with the revision that made them")
                .doesNotContain("start this version");
    }

    /** The schema, and all rows. */
    private String contents() {
        try (Database database = new Database(location, null)) {
            List<String> rows = database.read(tx -> tx.sqlAcrossTenants("""
                    select row_to_json(h)::text as line from flyway_schema_history h
                    union all select row_to_json(o)::text from organization o
                    union all select row_to_json(p)::text from pod p order by line""").list(row -> row.text("line")));
            return Catalogs.of(location) + String.join("\n", rows);
        }
    }
}
