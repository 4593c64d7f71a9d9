package dev.inboxd.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A series that has begun: what ran stays as it ran (rulings 70 to 72). */
class PastDatesHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    /** A daily series whose first date is in a minute, looked at in the middle of the third day. */
    private static final class Daily {
        final CalendarProbe calendar = new CalendarProbe(world);
        final LocalDateTime first = LocalDateTime.parse(calendar.soon(60));
        final String id = calendar.series(CalendarProbe.wall(first), "FREQ=DAILY;COUNT=6");

        Daily() {
            world.advance(Duration.ofHours(60));
        }

        String day(int day) {
            return CalendarProbe.wall(first.plusDays(day));
        }

        String date(int day) {
            return "/events/" + id + "_" + CalendarProbe.slot(day(day));
        }

        List<?> all(String member) {
            String after = CalendarProbe.wall(first.minusDays(1)) + "Z";
            return calendar.list("/events/" + id + "/instances?after=" + after, member);
        }

        List<?> agenda(String member) {
            return calendar.list("/agenda?after=" + CalendarProbe.wall(first.minusDays(1)) + "Z", member);
        }
    }

    @Test
    void anotherTitleIsForWhatIsAhead() {
        Daily daily = new Daily();
        daily.calendar.patch("/events/" + daily.id, "{'title':'New'}").is(200);
        List<String> titles = List.of("Standup", "Standup", "Standup", "New", "New", "New");
        assertThat(daily.all("title")).isEqualTo(titles);
        assertThat(daily.agenda("title")).isEqualTo(titles);
        assertThat(daily.calendar.get(daily.date(1)).is(200).text("title")).isEqualTo("Standup");
        daily.calendar.patch("/events/" + daily.id, "{'title':'Newer'}").is(200);
        assertThat(daily.all("title")).isEqualTo(List.of("Standup", "Standup", "Standup", "Newer", "Newer", "Newer"));
        world.advance(Duration.ofHours(24));
        daily.calendar.patch("/events/" + daily.id, "{'title':'Newest'}").is(200);
        assertThat(daily.all("title")).isEqualTo(List.of("Standup", "Standup", "Standup", "Newer", "Newest", "Newest"));
        assertThat(daily.calendar.get("/events/" + daily.id).text("title")).isEqualTo("Newest");
    }

    @Test
    void anotherTimeLeavesWhatRanAndItsSlotsAreOnlyRead() {
        Daily daily = new Daily();
        daily.calendar.patch(daily.date(1), "{'title':'Kept'}").is(200);
        daily.calendar.patch(daily.date(4), "{'title':'Lost'}").is(200);
        String later = CalendarProbe.wall(daily.first.plusHours(3));
        daily.calendar
                .patch(
                        "/events/" + daily.id,
                        "{'start':'" + later + "','end':'" + CalendarProbe.wall(daily.first.plusHours(4)) + "'}")
                .is(200);
        assertThat(daily.all("start"))
                .isEqualTo(List.of(
                        daily.day(0),
                        daily.day(1),
                        daily.day(2),
                        CalendarProbe.wall(daily.first.plusDays(3).plusHours(3)),
                        CalendarProbe.wall(daily.first.plusDays(4).plusHours(3)),
                        CalendarProbe.wall(daily.first.plusDays(5).plusHours(3))));
        assertThat(daily.all("title"))
                .isEqualTo(List.of("Standup", "Kept", "Standup", "Standup", "Standup", "Standup"));
        assertThat(daily.calendar.get(daily.date(1)).is(200).text("end"))
                .isEqualTo(CalendarProbe.wall(daily.first.plusDays(1).plusMinutes(30)));
        for (int day : List.of(0, 1, 2)) {
            HttpProbe.Answer refused =
                    daily.calendar.patch(daily.date(day), "{'title':'X'}").is(410);
            assertThat(refused.text("code")).isEqualTo("event_expired");
        }
        daily.calendar.get(daily.date(3)).is(404);
        String never = daily.id + "_" + CalendarProbe.slot(CalendarProbe.wall(daily.first.plusHours(3)));
        daily.calendar.get("/events/" + never).is(404);
        assertThat(daily.calendar.list("/events", "title")).containsExactly("Standup", "Kept");
    }

    @Test
    void aDateThatWasMovedEarlierAndRanStays() {
        Daily daily = new Daily();
        String early = daily.calendar.soon(3_600);
        daily.calendar
                .patch(
                        daily.date(5),
                        "{'title':'Early','start':'" + early + "','end':'" + daily.calendar.soon(7_200) + "'}")
                .is(200);
        world.advance(Duration.ofHours(3));
        daily.calendar
                .patch("/events/" + daily.id, "{'recurrence':{'rule':'FREQ=DAILY;COUNT=4'}}")
                .is(200);
        assertThat(daily.all("start"))
                .isEqualTo(List.of(daily.day(0), daily.day(1), daily.day(2), early, daily.day(3)));
        assertThat(daily.calendar.get(daily.date(5)).is(200).text("title")).isEqualTo("Early");
        daily.calendar.patch(daily.date(5), "{'title':'X'}").is(410);
        daily.calendar.get(daily.date(4)).is(404);
    }

    @Test
    void aDateThatIsOverChangesItsWordsForThirtyDays() {
        Daily daily = new Daily();
        daily.calendar
                .patch(daily.date(0), "{'title':'Past','attendees':[{'email':'a@x.test'}]}")
                .is(200);
        for (String refused : List.of("{'status':'cancelled'}", "{'end':'" + daily.day(1) + "'}")) {
            assertThat(daily.calendar.patch(daily.date(0), refused).is(409).text("code"))
                    .isEqualTo("event_already_started");
        }
        assertThat(daily.calendar.delete(daily.date(0)).is(409).text("code")).isEqualTo("event_already_started");
        world.advance(Duration.ofDays(29));
        HttpProbe.Answer over = daily.calendar
                .patch("/events/" + daily.id, "{'status':'tentative'}")
                .is(409);
        assertThat(over.text("code")).as("all dates are over").isEqualTo("event_already_started");
        daily.calendar.patch("/events/" + daily.id, "{'title':'Words'}").is(200);
        assertThat(daily.calendar.patch(daily.date(0), "{'title':'X'}").is(410).text("code"))
                .isEqualTo("event_expired");
        assertThat(daily.calendar.get(daily.date(0)).is(200).text("title")).isEqualTo("Past");
        assertThat(daily.calendar.get(daily.date(2)).is(200).text("title")).isEqualTo("Standup");
    }

    @Test
    void aDateThatRunsIsCancelledAndEndsOrGetsAnotherEnd() {
        CalendarProbe calendar = new CalendarProbe(world);
        LocalDateTime first = LocalDateTime.parse(calendar.soon(30));
        String id = calendar.series(CalendarProbe.wall(first), "FREQ=DAILY");
        world.advance(Duration.ofSeconds(60));
        String date = "/events/" + id + "_" + CalendarProbe.slot(CalendarProbe.wall(first));
        calendar.patch(date, "{'start':'" + calendar.soon(60) + "','end':'" + calendar.soon(99) + "'}")
                .is(409);
        HttpProbe.Answer longer = calendar.patch(date, "{'end':'" + CalendarProbe.wall(first.plusHours(1)) + "'}")
                .is(200);
        assertThat(longer.at("event.duration_value")).isEqualTo(3_600_000L);
        calendar.patch("/events/" + id, "{'title':'New'}").is(200);
        assertThat(calendar.get(date).text("title")).isEqualTo("Standup");
        assertThat(calendar.delete(date).is(202).at("event.status")).isEqualTo("cancelled");
        assertThat(calendar.get(date).is(200).text("status")).isEqualTo("cancelled");
        assertThat(calendar.list("/events/" + id + "/instances?limit=1", "title"))
                .containsExactly("New");
    }

    @Test
    void aSeriesThatBecomesASingleEventKeepsWhatRan() {
        Daily daily = new Daily();
        String next = daily.calendar.soon(7_200);
        daily.calendar
                .patch(
                        "/events/" + daily.id,
                        "{'recurrence':null,'title':'Once','start':'" + next + "','end':'" + daily.calendar.soon(9_000)
                                + "'}")
                .is(200);
        assertThat(daily.agenda("title")).isEqualTo(List.of("Standup", "Standup", "Standup", "Once"));
        assertThat(daily.calendar.get(daily.date(2)).is(200).text("kind")).isEqualTo("instance");
        daily.calendar.patch(daily.date(2), "{'title':'X'}").is(410);
        daily.calendar.get(daily.date(3)).is(404);
        daily.calendar.get("/events/" + daily.id + "/instances").is(400);
    }
}
