package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The schema obeys what lets it grow past one machine (docs/architecture.md, "Growth"). */
class SchemaDbTest {
    private static Database database;

    @BeforeAll
    static void migrate() {
        Database.Location location = TestPostgres.database();
        Migrations.run(location);
        database = new Database(location, null);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    /** A column of a table's key or unique index. */
    private record Column(String table, String index, boolean primary, boolean unique, int position, String name) {}

    private static List<Column> indexed() {
        return database.read(tx -> tx.sqlAcrossTenants("""
                select c.relname as table_name, i.relname as index_name, x.indisprimary, x.indisunique, k.position,
                       coalesce(a.attname, 'an expression') as column_name
                from pg_index x
                join pg_class c on c.oid = x.indrelid
                join pg_class i on i.oid = x.indexrelid
                join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
                cross join lateral unnest(x.indkey) with ordinality as k (number, position)
                left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
                where c.relname <> 'flyway_schema_history'""")
                .list(row -> new Column(
                        row.text("table_name"),
                        row.text("index_name"),
                        row.flag("indisprimary"),
                        row.flag("indisunique"),
                        row.integer("position"),
                        row.text("column_name"))));
    }

    private static List<String> names(String sql) {
        return database.read(tx -> tx.sqlAcrossTenants(sql).list(row -> row.text("name")));
    }

    @Test
    void theTenantTablesAreThoseThatHaveTheOrganizationInTheirKey() {
        Set<String> keyed = new HashSet<>();
        for (Column column : indexed()) {
            if (column.primary() && column.name().equals("organization_id")) {
                keyed.add(column.table());
            }
        }
        assertThat(TenantTables.TENANT).isEqualTo(keyed);
    }

    @Test
    @Proves("P10")
    void everyKeyAndUniqueIndexOfATenantTableBeginsWithTheOrganization() {
        assertThat(indexed())
                .filteredOn(column ->
                        TenantTables.TENANT.contains(column.table()) && column.unique() && column.position() == 1)
                .isNotEmpty()
                .allSatisfy(
                        column -> assertThat(column.name()).as(column.index()).isEqualTo("organization_id"));
    }

    @Test
    void everyTableHasAPrimaryKey() {
        Set<String> keyed = new HashSet<>();
        indexed().stream().filter(Column::primary).forEach(column -> keyed.add(column.table()));
        assertThat(names("select table_name as name from information_schema.tables where table_schema = 'public'"
                        + " and table_name <> 'flyway_schema_history'"))
                .allSatisfy(table -> assertThat(keyed).contains(table));
    }

    @Test
    void thereAreNoTriggersSequencesIdentitiesOrForeignKeysAcrossTenants() {
        assertThat(names("select tgname as name from pg_trigger where not tgisinternal"))
                .isEmpty();
        assertThat(names("select relname as name from pg_class where relkind = 'S'"))
                .isEmpty();
        assertThat(names("select table_name as name from information_schema.columns"
                        + " where table_schema = 'public' and is_identity = 'YES'"))
                .isEmpty();
        assertThat(names("select conname as name from pg_constraint where contype = 'f'"
                        + " and confrelid = 'organization_clock'::regclass"))
                .isEmpty();
    }

    @Test
    void eachMigrationPlacesEachTableBeforeTheNextIsMade() throws IOException {
        try (Stream<Path> migrations = Files.list(Path.of("base/src/main/resources/migrations"))) {
            for (Path migration : migrations.toList()) {
                List<String> made = new ArrayList<>();
                List<String> placed = new ArrayList<>();
                for (String line : Files.readAllLines(migration)) {
                    if (line.startsWith("create table ") || line.startsWith("create unlogged table ")) {
                        assertThat(placed).as("placed before %s", line).isEqualTo(made);
                        made.add(line.split(" table ", -1)[1].split(" ", -1)[0]);
                    } else if (line.startsWith("select place('")) {
                        placed.add(line.split("'", -1)[1]);
                    }
                }
                assertThat(placed).as(migration.toString()).isEqualTo(made);
            }
        }
    }

    @Test
    void aTenantTableIsPlacedByItsOrganization() throws IOException {
        try (Stream<Path> migrations = Files.list(Path.of("base/src/main/resources/migrations"))) {
            for (Path migration : migrations.toList()) {
                assertThat(Files.readAllLines(migration))
                        .filteredOn(line -> line.startsWith("select place('"))
                        .allSatisfy(line -> assertThat(line.split("'", -1)[3].equals("organization_id"))
                                .as(line)
                                .isEqualTo(TenantTables.TENANT.contains(line.split("'", -1)[1])));
            }
        }
    }

    /** What it takes is the most common values: mail that is deleted would go on to lie there. */
    @Test
    void thePlannerTakesNoFiguresOfWhatMailSays() {
        assertThat(names("""
                select c.relname || '.' || a.attname as name
                from pg_attribute a
                join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
                join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
                where a.attname ~ ('^(subject|preview|senders?|recipients?(_to|_cc|_bcc)?|reply_to|reverse_path|last_message'
                        || '|.*_body|raw|shown|bodies|content|text|filename|content_id|payload|details|answer|last_error'
                        || '|last_reply|reference_ids)$')
                    and c.relname <> 'job' and a.attstattarget is distinct from 0""")).isEmpty();
        assertThat(names("select a.attname as name from pg_attribute a where a.attrelid = 'message'::regclass"
                        + " and a.attstattarget = 0"))
                .contains("subject", "preview")
                .doesNotContain("inbox_id", "labels", "created_at");
        assertThat(names("""
                select x.indexrelid::regclass::text as name
                from pg_index x join pg_attribute a on a.attrelid = x.indrelid and a.attnum = any (x.indkey)
                where a.attstattarget = 0""")).as("what is found by an index has figures").isEmpty();
    }

    /** docs/decisions/0043-what-mail-takes-on-the-disk.md */
    @Test
    void rawMailIsCompressedInItsRowAndItsHeaderIsReadAlone() {
        byte[] raw = "Subject: Hello\r\n\r\nHello, world, and the words of it.\r\n"
                .repeat(60)
                .getBytes(StandardCharsets.UTF_8);
        database.writeGlobal(
                tx -> tx.sqlAcrossTenants("insert into message_content (organization_id, message_id, inbox_id,"
                                + " raw, header_size, sha256) values (:id, :id, :id, :raw, 18, 'hash'::bytea)")
                        .bind("id", new UUID(0, 1))
                        .bind("raw", raw)
                        .run());
        database.read(tx -> tx.sqlAcrossTenants("select raw, substring(raw for header_size) as header,"
                        + " pg_column_size(raw) as size from message_content")
                .single(row -> {
                    assertThat(row.bytes("raw")).isEqualTo(raw);
                    assertThat(row.bytes("header")).isEqualTo(Arrays.copyOf(raw, 18));
                    assertThat(row.integer("size")).isLessThan(raw.length / 2);
                    return row;
                }));
    }
}
