package dev.inboxd.calendar;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A deleted inbox leaves nothing of its calendar. */
class CalendarPurgeHttpTest {
    private static final List<String> TABLES = List.of(
            "calendar",
            "calendar_event",
            "calendar_override",
            "calendar_era",
            "calendar_boundary",
            "calendar_deletion",
            "calendar_client_id",
            "calendar_feed");

    private static int rows(World world, String table) {
        return world.database()
                .read(tx -> tx.sql(View.of(world.organization()), "select count(*) as n from " + table + " c where {c}")
                        .single(row -> row.integer("n")));
    }

    @Test
    @Tag("long")
    void everyRowGoesAndTheSameAddressBeginsEmpty() {
        try (World world = World.start()) {
            CalendarProbe calendar = new CalendarProbe(world);
            CalendarProbe other = new CalendarProbe(world);
            other.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
            for (int i = 0; i < 250; i++) {
                calendar.create("{'title':'A','client_id':'" + i
                                + "','start':'2099-01-01T10:00:00','end':'2099-01-01T11:00:00'}")
                        .is(201);
            }
            String series = calendar.series(calendar.soon(-86_400), "FREQ=DAILY");
            calendar.patch("/events/" + series, "{'title':'B'}").is(200);
            String date = String.valueOf(calendar.list("/events/" + series + "/instances", "event_id")
                    .getLast());
            calendar.patch("/events/" + date, "{'title':'C'}").is(200);
            world.http()
                    .with("Idempotency-Key", "k")
                    .delete(calendar.path("/events/"
                            + calendar.list("/events?limit=100", "event_id").getLast()))
                    .is(202);
            calendar.post("/feed", "").is(201);
            assertThat(rows(world, "calendar_feed")).isOne();
            assertThat(rows(world, "calendar_era")).isOne();
            assertThat(rows(world, "calendar_override")).isOne();
            assertThat(rows(world, "calendar_deletion")).isOne();
            // Whether today's date was told yet, a moment decides.
            long told = calendar.types().stream()
                    .filter(type -> !type.equals("starting"))
                    .count();

            world.http().delete("/v0/inboxes/" + calendar.inbox()).is(200);
            calendar.get("").is(404);
            Eventually.await(() -> rows(world, "calendar_event") == 1 && rows(world, "calendar") == 1);
            for (String table : TABLES.subList(2, TABLES.size())) {
                assertThat(rows(world, table)).as(table).isZero();
            }
            assertThat(world.http()
                            .get("/v0/events?limit=100&event_types=calendar.event.deleted")
                            .list("events"))
                    .as("nothing is told of a calendar that goes with its inbox")
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(told).isEqualTo(254);
            world.http()
                    .post("/v0/inboxes", json("username", calendar.inbox().split("@", -1)[0]))
                    .is(200);
            assertThat(calendar.get("").is(200).at("event_count")).isEqualTo(0L);
            assertThat(calendar.list("/events")).isEmpty();
            calendar.create("{'title':'A','client_id':'0','start':'2099-01-01T10:00:00','end':'2099-01-01T11:00:00'}")
                    .is(201);
        }
    }
}
