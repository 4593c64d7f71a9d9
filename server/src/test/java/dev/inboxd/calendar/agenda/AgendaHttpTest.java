package dev.inboxd.calendar.agenda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.calendar.content.AgendaWindow;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.content.EventVersion;
import dev.inboxd.calendar.content.EventWords;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.event.EventWrites;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.server.World;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Windows of agenda and instances, their tokens and their cost (calendar.md §3). */
class AgendaHttpTest {
    private static final String OCTOBER = "after=2099-10-01T00:00:00Z&before=2099-11-01T00:00:00Z";

    @RegisterExtension
    private static final World world = World.start();

    @Test
    void singlesAndDatesComeByTheirStartWithoutWhatIsLarge() {
        CalendarProbe calendar = new CalendarProbe(world);
        String late = calendar.create("{'title':'Late','start':'2099-10-20T10:00:00','end':'2099-10-20T11:00:00',"
                        + "'description':'D','metadata':1,'location':'L','attendees':[{'email':'a@x.test'}]}")
                .text("event.event_id");
        String series = calendar.series("2099-10-06T09:00:00", "FREQ=WEEKLY;COUNT=3");
        String early = calendar.single("2099-10-01T00:00:00", "2099-10-01T00:30:00");
        calendar.single("2099-11-01T00:00:00", "2099-11-01T00:30:00");
        calendar.single("2099-09-30T23:00:00", "2099-10-01T00:00:00");
        calendar.patch(
                "/events/" + calendar.single("2099-10-02T00:00:00", "2099-10-02T01:00:00"), "{'status':'cancelled'}");
        assertThat(calendar.list("/agenda?" + OCTOBER, "event_id"))
                .isEqualTo(List.of(
                        early,
                        series + "_t20991006T090000",
                        series + "_t20991013T090000",
                        series + "_t20991020T090000",
                        late));
        HttpProbe.Answer all = calendar.get("/agenda?" + OCTOBER);
        for (String absent : List.of("description", "metadata", "attendees", "etag", "resource_revision")) {
            assertThat(all.at("events.4." + absent)).as(absent).isNull();
        }
        assertThat(all.at("events.4.location")).isEqualTo("L");
        assertThat(all.at("events.4.attendee_count")).isEqualTo(1L);
    }

    @Test
    void whatStillRunsIsThereUnlessItIsNotWanted() {
        CalendarProbe calendar = new CalendarProbe(world);
        String running = calendar.single("2099-09-30T23:00:00", "2099-10-01T00:30:00");
        String year = calendar.single("2099-01-01T00:00:00", "2099-12-31T00:00:00");
        String series = calendar.create("{'title':'Week','start':'2099-09-28T00:00:00','end':'2099-10-05T00:00:00',"
                        + "'recurrence':{'rule':'FREQ=MONTHLY;COUNT=2'}}")
                .text("event.event_id");
        assertThat(calendar.list("/agenda?" + OCTOBER, "event_id"))
                .isEqualTo(List.of(year, series + "_t20990928T000000", running, series + "_t20991028T000000"));
        assertThat(calendar.list("/agenda?include_overlapping=false&" + OCTOBER, "event_id"))
                .isEqualTo(List.of(series + "_t20991028T000000"));
        assertThat(calendar.list("/events/" + series + "/instances?include_overlapping=false&" + OCTOBER))
                .hasSize(1);
    }

    @Test
    void aWindowIsInUtcNotEmptyAndNotTooWide() {
        CalendarProbe calendar = new CalendarProbe(world);
        for (String wrong : List.of(
                "after=2099-10-01T00:00:00%2B02:00",
                "after=2099-10-01",
                "before=soon",
                "after=2099-10-01T00:00:00Z&before=2099-10-01T00:00:00Z",
                "after=2099-10-02T00:00:00Z&before=2099-10-01T00:00:00Z",
                "before=2001-01-01T00:00:00Z",
                "consistency=maybe",
                "limit=0")) {
            assertThat(calendar.get("/agenda?" + wrong).is(400).text("code"))
                    .as(wrong)
                    .isEqualTo("validation_error");
        }
        HttpProbe.Answer wide = calendar.get("/agenda?after=2099-01-01T00:00:00Z&before=2100-01-02T00:00:01Z")
                .is(400);
        assertThat(wide.text("code")).isEqualTo("query_range_too_wide");
        calendar.get("/agenda?after=2099-01-01T00:00:00Z&before=2100-01-02T00:00:00Z")
                .is(200);
        String soon = calendar.single(calendar.soon(60), calendar.soon(120));
        calendar.single(calendar.soon(91 * 86_400), calendar.soon(91 * 86_400 + 60));
        assertThat(calendar.list("/agenda", "event_id"))
                .as("from now on 90 days")
                .isEqualTo(List.of(soon));
        assertThat(calendar.get("/agenda?limit=1000").at("limit")).isEqualTo(100L);
        calendar.get("/agenda?after=9998-12-01T00:00:00Z").is(200);
    }

    @Test
    void pagesGoOnWhereTheyEndedAndKeepTheirWindow() {
        CalendarProbe calendar = new CalendarProbe(world);
        String series = calendar.series(calendar.soon(3_600), "FREQ=DAILY;COUNT=7");
        List<Object> all = new ArrayList<>();
        String token = "";
        do {
            HttpProbe.Answer page = calendar.get("/agenda?limit=3" + token).is(200);
            page.list("events")
                    .forEach(each -> all.add(CalendarProbe.object(each).get("event_id")));
            token = page.at("next_page_token") == null ? "" : "&page_token=" + page.text("next_page_token");
        } while (!token.isEmpty());
        assertThat(all).hasSize(7).doesNotHaveDuplicates();
        String next = calendar.get("/agenda?limit=3").text("next_page_token");
        calendar.get("/agenda?limit=3&include_overlapping=false&page_token=" + next)
                .is(400);
        calendar.get("/events/" + series + "/instances?limit=3&page_token=" + next)
                .is(400);
        String dates = calendar.get("/events/" + series + "/instances?limit=3").text("next_page_token");
        assertThat(calendar.list("/events/" + series + "/instances?limit=3&page_token=" + dates))
                .hasSize(3);
        calendar.patch("/events/" + all.getFirst(), "{'title':'B'}").is(200);
        assertThat(calendar.get("/events/" + series + "/instances?limit=3&page_token=" + dates)
                        .is(409)
                        .text("code"))
                .isEqualTo("page_token_stale");
        calendar.get("/agenda?limit=3&page_token=" + next).is(200);
    }

    @Test
    void moreThanTenThousandDatesAreTooMany() {
        CalendarProbe calendar = new CalendarProbe(world);
        for (int i = 0; i < 4; i++) {
            calendar.series("2099-01-01T0" + i + ":00:00", "FREQ=DAILY;BYHOUR=" + i + ",9,10,11,12,13,14,15");
        }
        String year = "after=2099-01-01T00:00:00Z&before=2100-01-01T00:00:00Z";
        assertThat(calendar.get("/agenda?" + year).is(400).text("code")).isEqualTo("query_range_too_wide");
        assertThat(calendar.get("/agenda?" + OCTOBER).is(200).at("count")).isEqualTo(50L);
    }

    @Test
    @Tag("long")
    void aMonthOfAFullCalendarReadsWhatIsInTheMonth() {
        CalendarProbe calendar = new CalendarProbe(world);
        View inbox = View.of(world.organization()).inbox(inboxId(calendar.inbox()));
        LocalDateTime first = LocalDateTime.parse("2060-01-01T00:00:00");
        for (int from = 0; from < 9_000; from += 1_000) {
            int some = from;
            world.database().write(world.organization(), tx -> {
                CalendarTx change = CalendarTx.begin(tx, inbox, false);
                for (int i = some; i < some + 1_000; i++) {
                    EventWrites.insert(change, event(change, first.plusDays(i)));
                }
                return null;
            });
        }
        calendar.series("2060-01-01T12:00:00", "FREQ=YEARLY");
        AgendaWindow window =
                new AgendaWindow(Instant.parse("2080-10-01T00:00:00Z"), Instant.parse("2080-11-01T00:00:00Z"), true);
        long blocks = world.database().write(world.organization(), tx -> {
            long before = blocks(tx);
            assertThat(AgendaSql.candidates(tx, inbox, window)).hasSizeBetween(31, 40);
            return blocks(tx) - before;
        });
        assertThat(blocks).as("blocks of the index").isLessThan(30);
        assertThat(calendar.list("/agenda?after=2080-10-01T00:00:00Z&before=2080-11-01T00:00:00Z"))
                .hasSize(31);
        assertThat(calendar.get("").at("event_count")).isEqualTo(9_001L);
    }

    /** Blocks of the window's index that this connection has looked at. */
    private static long blocks(Tx tx) {
        return tx.sqlAcrossTenants(
                        "select pg_stat_get_xact_blocks_fetched('calendar_event_window'::regclass) as blocks")
                .single(row -> row.longer("blocks"));
    }

    private static UUID inboxId(String address) {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(world.organization()),
                                "select i.inbox_id from inbox i where {i} and i.address = :address")
                        .bind("address", address)
                        .single(row -> row.uuid("inbox_id")));
    }

    private static CalendarEvent event(CalendarTx change, LocalDateTime start) {
        UUID id = Uuid7.next();
        EventTime time = new EventTime(false, start, start.plusHours(1), ZoneId.of("UTC"), DurationMode.EXACT);
        return new CalendarEvent(
                id,
                new CalendarEvent.Place(
                        change.view().organization(),
                        change.inbox().pod(),
                        change.inbox().id()),
                CalendarEvent.Origin.ours(id + "@x.test", "a@x.test"),
                new EventContent(
                        new EventWords("Event", null, null, null), EventStatus.CONFIRMED, time, null, Guests.NONE),
                EventVersion.first(change.operation(), change.now()),
                CalendarEvent.MailState.NONE,
                CalendarTx.Author.NONE);
    }
}
