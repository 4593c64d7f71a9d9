package dev.inboxd.app.registry;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The apps file makes the rows of its apps, and nothing else. */
class AppsFileDbTest {
    private static final UUID ONE = UUID.fromString("7d3c0e4e-6f0b-4a53-9a53-0c2f1d1b2a10");
    private static final UUID TWO = UUID.fromString("7d3c0e4e-6f0b-4a53-9a53-0c2f1d1b2a11");

    @TempDir
    Path folder;

    private Database database;
    private Path path;

    @BeforeEach
    void open() {
        database = new Database(TestPostgres.migrated(), null);
        path = folder.resolve("apps.yaml");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private AppsFile file(String entries) throws IOException {
        write(entries);
        return AppsFile.at(path, database, InstantSource.system());
    }

    private void write(String entries) throws IOException {
        Files.writeString(path, "apps:\n" + entries);
    }

    private static String entry(UUID id, String more) {
        return "  - {app_id: " + id + ", name: CRM, " + more + "}\n";
    }

    private App app(UUID id) {
        return database.read(tx -> AppSql.find(tx, id)).orElseThrow();
    }

    private List<byte[]> secrets(UUID id) {
        return database.read(tx -> AppSql.secrets(tx, id));
    }

    /** The rows as they are stored, each with the transaction that wrote it. */
    private List<String> rows() {
        return database.read(tx -> tx.sqlAcrossTenants("""
                select r.row from (
                    select a.xmin::text || row_to_json(a)::text as row from app a
                    union all select s.xmin::text || row_to_json(s)::text from app_secret s
                    union all select g.xmin::text || row_to_json(g)::text from app_slug g
                    union all select l.xmin::text || row_to_json(l)::text from app_signup_limit l) as r
                order by r.row""").list(row -> row.text("row")));
    }

    @Test
    void whatDoesNotChangeIsNotWrittenAgain() throws IOException {
        String limits = "organizations: {" + TWO + ": {owner_signup_limit: 1}}";
        String entries = entry(ONE, "slug: one, client_secret: s, " + limits) + entry(TWO, "slug: two");
        AppsFile file = file(entries);
        file.reloadIfChanged();
        List<String> rows = rows();
        assertThat(rows).hasSize(6);
        AppsFile other = AppsFile.at(path, database, InstantSource.system());
        other.reloadIfChanged();
        assertThat(rows()).isEqualTo(rows);
        write(entries + "# nothing new\n");
        file.reloadIfChanged();
        assertThat(rows()).isEqualTo(rows);
        write(entries.replace("slug: two", "slug: third"));
        file.reloadIfChanged();
        assertThat(rows())
                .containsAll(rows.stream()
                        .filter(row -> row.contains(ONE.toString()) || row.contains(members("slug", "one")))
                        .toList());
        assertThat(app(TWO).slug()).isEqualTo("third");
    }

    @Test
    void anEntryThatLeavesIsDisabledAndTheOperatorsFromThenOn() throws IOException {
        AppsFile file = file(entry(ONE, "slug: one, client_secret: s") + entry(TWO, "slug: two"));
        file.reloadIfChanged();
        assertThat(app(ONE).managedBy()).isEqualTo(App.ManagedBy.FILE);
        write(entry(TWO, "slug: one"));
        file.reloadIfChanged();
        assertThat(app(ONE).isEnabled()).isFalse();
        assertThat(app(ONE).managedBy()).isEqualTo(App.ManagedBy.OPERATOR);
        assertThat(app(ONE).slug()).as("a disabled app gives way").isNull();
        assertThat(app(TWO).slug()).isEqualTo("one");
        write(entry(ONE, "slug: two, client_secret: t") + entry(TWO, "slug: one"));
        file.reloadIfChanged();
        assertThat(app(ONE).isEnabled()).isTrue();
        write(entry(ONE, "slug: one") + entry(TWO, "slug: two"));
        file.reloadIfChanged();
        assertThat(List.of(String.valueOf(app(ONE).slug()), String.valueOf(app(TWO).slug())))
                .as("swapped")
                .containsExactly("one", "two");
        assertThat(secrets(ONE)).as("which the file no longer names").isEmpty();
    }

    @Test
    void aFileThatIsWrongLaterChangesNothingUntilItIsMended() throws IOException {
        AppsFile file = file(entry(ONE, "slug: one"));
        file.reloadIfChanged();
        List<String> rows = rows();
        for (String wrong : List.of(entry(ONE, "colour: red"), entry(ONE, "") + entry(ONE, ""), "  [")) {
            write(wrong);
            file.reloadIfChanged();
            assertThat(rows()).isEqualTo(rows);
        }
        Files.delete(path);
        file.reloadIfChanged();
        assertThat(rows()).isEqualTo(rows);
        write(entry(ONE, "slug: two"));
        file.reloadIfChanged();
        assertThat(app(ONE).slug()).isEqualTo("two");
    }

    @Test
    void aSlugOfAnOperatorsAppIsAFaultWithItsLine() throws IOException {
        OperatorApps operator = new OperatorApps(database, InstantSource.system(), _ -> null);
        operator.create(AppFixture.body(json("name", "Operator's", "slug", "taken")));
        AppsFile file = file(entry(ONE, "") + entry(TWO, "slug: taken"));
        assertThatThrownBy(file::start)
                .hasMessageContaining("apps.yaml is wrong: line 3, apps[1].slug: The slug taken is taken by the app ");
        assertThat(rows()).as("all or nothing").hasSize(3);
        file.close();
    }

    @Test
    void severalNodesReadTheSameFileAtOnce() throws Exception {
        AppsFile first = file(entry(ONE, "slug: one, client_secret: s") + entry(TWO, "slug: two, client_secret: s"));
        List<Callable<Boolean>> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            AppsFile node = i == 0 ? first : AppsFile.at(path, database, InstantSource.system());
            nodes.add(() -> {
                node.reloadIfChanged();
                return true;
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> done : threads.invokeAll(nodes)) {
                assertThat(done.get()).isTrue();
            }
        }
        assertThat(rows()).hasSize(6);
    }
}
