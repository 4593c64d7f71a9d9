package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The schema that a start makes is the one that schema.txt shows, on every version of PostgreSQL. */
class SchemaReferenceDbTest {
    private static final Path REFERENCE = Path.of("server/src/test/resources/schema.txt");

    /** After a wanted change target/schema.txt takes the place of the reference. */
    @Test
    void aStartMakesTheSchemaOfTheReference() throws IOException {
        Database.Location location = TestPostgres.database();
        Migrations.run(location);
        String schema = Catalogs.of(location);
        Files.writeString(Path.of("target/schema.txt"), schema);
        assertThat(schema).isEqualTo(Files.readString(REFERENCE));
    }

    @Test
    void theTextSaysWhatCanBeSaidOfATable() throws SQLException {
        Database.Location location = TestPostgres.database();
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    create function f() returns trigger language plpgsql as $$
                    begin
                        return new; -- as it is
                    end
                    $$;
                    create unlogged table note (
                        id integer primary key,
                        said text collate "C" not null default '' check (said <> 'no'),
                        size integer
                    ) with (fillfactor = 80, autovacuum_enabled = off);
                    alter table note alter column said set storage external, alter column said set statistics 0,
                        alter column size set (n_distinct = 5), enable row level security;
                    create index note_size on note (size) where size > 0;
                    create policy note_seen on note for select using (size > 1);
                    create trigger made before insert on note for each row execute function f();
                    create type mood as enum ('glad', 'sad');
                    create view notes as select said from note;
                    """);
        }
        assertThat(Catalogs.of(location)).isEqualTo("""
                table note unlogged with row security with (autovacuum_enabled=off, fillfactor=80)
                    column id integer not null
                    column said text collate "C" not null default ''::text storage external statistics 0
                    column size integer with (n_distinct=5)
                    constraint note_pkey PRIMARY KEY (id)
                    constraint note_said_check CHECK ((said <> 'no'::text))
                    index CREATE UNIQUE INDEX note_pkey ON public.note USING btree (id)
                    index CREATE INDEX note_size ON public.note USING btree (size) WHERE (size > 0)
                    policy note_seen for r to {-} using (size > 1)
                    trigger CREATE TRIGGER made BEFORE INSERT ON public.note FOR EACH ROW EXECUTE FUNCTION f() enabled O
                view notes
                    column said text collate "C"
                function f() returns trigger language plpgsql kind f vu as begin return new; end
                type mood kind e of glad, sad
                extension plpgsql
                """);
    }
}
