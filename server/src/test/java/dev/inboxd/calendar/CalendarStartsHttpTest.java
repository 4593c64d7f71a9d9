package dev.inboxd.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Starts and ends are told once, in time, of what is still to be (the table of calendar.md §8). */
class CalendarStartsHttpTest {
    @RegisterExtension
    private final World world = World.start();

    @Test
    void aStartAndAnEndAreToldAtTheirTimesWithTheEventAsItStood() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single(calendar.soon(3_600), calendar.soon(5_400));
        String startAt = calendar.get("/events/" + id).text("start_at");
        world.advance(Duration.ofMinutes(50));
        CalendarProbe other = new CalendarProbe(world);
        other.single(other.soon(-10), other.soon(600));
        told(other, "created", "starting");
        assertThat(calendar.types()).containsExactly("created");
        world.advance(Duration.ofMinutes(15));
        told(calendar, "created", "starting");
        Map<?, ?> starting = calendar.events().get(1);
        assertThat(starting.get("scheduled_at")).isEqualTo(startAt);
        Map<?, ?> event = CalendarProbe.object(starting.get("calendar_event"));
        assertThat(event.get("event_id")).isEqualTo(id);
        assertThat(event.containsKey("resource_revision")).isFalse();
        assertThat(event.containsKey("etag")).isFalse();
        assertThat(String.valueOf(starting.get("created_at"))).isGreaterThanOrEqualTo(startAt);
        calendar.patch("/events/" + id, "{'title':'Renamed'}").is(200);
        world.advance(Duration.ofMinutes(30));
        told(calendar, "created", "starting", "updated", "ending");
        assertThat(CalendarProbe.object(calendar.events().get(3).get("calendar_event"))
                        .get("title"))
                .isEqualTo("Renamed");
        assertThat(CalendarProbe.object(calendar.events().get(1).get("calendar_event"))
                        .get("title"))
                .isEqualTo("Call");
    }

    @Test
    void whatWasMovedCancelledOrDeletedIsToldAsItIs() {
        CalendarProbe moved = new CalendarProbe(world);
        CalendarProbe cancelled = new CalendarProbe(world);
        CalendarProbe deleted = new CalendarProbe(world);
        CalendarProbe stopped = new CalendarProbe(world);
        String mine = moved.single(moved.soon(600), moved.soon(1_200));
        moved.patch("/events/" + mine, "{'start':'" + moved.soon(7_200) + "','end':'" + moved.soon(7_800) + "'}")
                .is(200);
        cancelled
                .patch(
                        "/events/" + cancelled.single(cancelled.soon(600), cancelled.soon(900)),
                        "{'status':'cancelled'}")
                .is(200);
        deleted.delete("/events/" + deleted.single(deleted.soon(600), deleted.soon(900)))
                .is(202);
        String running = stopped.single(stopped.soon(600), stopped.soon(7_200));
        world.advance(Duration.ofMinutes(20));
        told(stopped, "created", "starting");
        stopped.patch("/events/" + running, "{'status':'cancelled'}").is(200);
        assertThat(moved.types()).containsExactly("created", "updated");
        world.advance(Duration.ofMinutes(103));
        told(moved, "created", "updated", "starting");
        world.advance(Duration.ofMinutes(10));
        told(moved, "created", "updated", "starting", "ending");
        told(stopped, "created", "starting", "updated", "ending");
        assertThat(cancelled.types()).containsExactly("created", "updated");
        assertThat(deleted.types()).containsExactly("created", "deleted");
    }

    @Test
    void eachDateOfASeriesIsToldAndNoneThatWasTakenOut() {
        CalendarProbe calendar = new CalendarProbe(world);
        String first = calendar.soon(86_400);
        String id = calendar.series(first, "FREQ=DAILY;COUNT=3");
        List<String> dates = new ArrayList<>();
        String window = "/agenda?before=" + world.clock().instant().plus(Duration.ofDays(9));
        calendar.list(window, "event_id").forEach(date -> dates.add(String.valueOf(date)));
        assertThat(dates).hasSize(3);
        calendar.delete("/events/" + dates.get(1)).is(202);
        world.advance(Duration.ofDays(1).plusMinutes(1));
        told(calendar, "created", "updated", "starting");
        world.advance(Duration.ofHours(1));
        told(calendar, "created", "updated", "starting", "ending");
        world.advance(Duration.ofDays(2).minusHours(1));
        told(calendar, "created", "updated", "starting", "ending", "starting");
        Map<?, ?> last = CalendarProbe.object(calendar.events().getLast().get("calendar_event"));
        assertThat(last.get("event_id")).isEqualTo(dates.get(2));
        assertThat(last.get("series_id")).isEqualTo(id);
    }

    /** Of the time when nothing was told, what is long over stays untold. */
    @Test
    void whatBeganAndEndedWhileTheServiceWasDownIsToldOnlyIfItIsFresh() {
        CalendarProbe old = new CalendarProbe(world);
        CalendarProbe still = new CalendarProbe(world);
        CalendarProbe fresh = new CalendarProbe(world);
        String over = old.single(old.soon(600), old.soon(900));
        String running = still.single(still.soon(600), still.soon(90_000));
        String brief = fresh.single(fresh.soon(3_500), fresh.soon(3_560));
        List<String> all = List.of(over, running, brief);
        all.forEach(id -> look(id, null));
        world.advance(Duration.ofHours(1));
        all.forEach(id -> look(id, Duration.ofMinutes(1)));
        told(still, "created", "starting");
        told(fresh, "created", "starting", "ending");
        Eventually.await(() -> !isAwaited(over));
        assertThat(old.types()).containsExactly("created");
    }

    @Test
    void timesByAnotherReleaseOfTheZonesAreComputedAnewAtTheStart() {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.create("{'title':'Call','timezone':'Europe/Berlin','start':'2099-07-01T10:00:00',"
                        + "'end':'2099-07-01T11:00:00'}")
                .is(201)
                .text("event.event_id");
        world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(
                                        View.of(world.organization()),
                                        "update calendar_event e set zone_version = '2000a', next_boundary_at = null"
                                                + " where {e} and e.event_id = :id")
                                .bind("id", UUID.fromString(id))
                                .run());
        world.restart();
        Eventually.await(() -> isAwaited(id));
        assertThat(calendar.get("/events/" + id).is(200).text("start_at")).isEqualTo("2099-07-01T08:00:00.000Z");
    }

    @Test
    @Tag("long")
    void twoNodesTellEachOnce() {
        try (World second = world.beside()) {
            CalendarProbe calendar = new CalendarProbe(world);
            String start = calendar.soon(4);
            String end = calendar.soon(5);
            int count = 120;
            for (int i = 0; i < count; i++) {
                calendar.single(start, end);
            }
            Eventually.await(() -> calendar.types().size() >= 3 * count);
            assertThat(second.http().get(calendar.path("/events")).is(200).at("count"))
                    .isNotNull();
            assertThat(calendar.types().stream().filter("starting"::equals)).hasSize(count);
            assertThat(calendar.types().stream().filter("ending"::equals)).hasSize(count);
            assertThat(calendar.types()).hasSize(3 * count);
        }
    }

    private static void told(CalendarProbe calendar, String... types) {
        Eventually.await(() -> calendar.types().size() >= types.length);
        assertThat(calendar.types()).containsExactly(types);
    }

    /** Has an event looked at that long ago, or never. */
    private void look(String event, @Nullable Duration ago) {
        world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(
                                        View.of(world.organization()),
                                        "update calendar_event e set next_boundary_at = :at"
                                                + " where {e} and e.event_id = :id")
                                .bind(
                                        "at",
                                        ago == null
                                                ? null
                                                : world.clock().instant().minus(ago))
                                .bind("id", UUID.fromString(event))
                                .run());
    }

    private boolean isAwaited(String event) {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(world.organization()),
                                "select e.next_boundary_at is not null as awaited from calendar_event e"
                                        + " where {e} and e.event_id = :id")
                        .bind("id", UUID.fromString(event))
                        .single(row -> row.flag("awaited")));
    }
}
