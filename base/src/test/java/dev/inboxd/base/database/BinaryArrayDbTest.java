package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.TestPostgres;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BinaryArrayDbTest {
    private static final UUID ID = UUID.fromString("ffeeddcc-bbaa-7988-8766-554433221100");

    private final Database database = new Database(TestPostgres.database(), null);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void idsArriveAsTheyAre() {
        assertThat(texts(new @Nullable UUID[] {ID, null, new UUID(0, 0)}, "uuid"))
                .containsExactly(ID.toString(), "null", new UUID(0, 0).toString());
        assertThat(texts(new UUID[0], "uuid")).isEmpty();
    }

    @Test
    void timesArriveInMicroseconds() {
        List<Instant> times = List.of(
                Instant.parse("2026-11-25T13:14:15.123456Z"),
                Instant.parse("1969-12-31T23:59:59.999999Z"),
                Instant.EPOCH,
                Instant.parse("2000-01-01T00:00:00Z"),
                Instant.parse("9999-12-31T23:59:59Z"));
        List<String> found = texts(times.toArray(Instant[]::new), "timestamptz");
        assertThat(found)
                .map(each -> Instant.parse(each.replace(' ', 'T').replaceAll("\\+00$", "Z")))
                .isEqualTo(times);
        assertThat(texts(new Instant[] {Instant.parse("2026-11-25T00:00:00.000001500Z")}, "timestamptz"))
                .containsExactly("2026-11-25 00:00:00.000002+00");
        assertThat(texts(new @Nullable Instant[] {null}, "timestamptz")).containsExactly("null");
    }

    /** What is read is asked often enough to come in the form of a statement that the driver has prepared, too. */
    @Test
    void idsComeBackAsTheyAre() {
        for (int i = 0; i < 4; i++) {
            List<UUID> found = database.read(tx -> tx.sql("select :ids::uuid[] as ids")
                    .bind("ids", new UUID[] {ID, new UUID(1, 2)})
                    .single(row -> row.uuids("ids")));
            assertThat(found).containsExactly(ID, new UUID(1, 2));
        }
    }

    private List<String> texts(@Nullable Object[] elements, String type) {
        return database.read(tx -> tx.sql("select coalesce(u.element::text, 'null') as element from unnest(:elements::"
                        + type + "[]) with ordinality as u (element, place) order by u.place")
                .bind("elements", elements)
                .list(row -> row.text("element")));
    }
}
