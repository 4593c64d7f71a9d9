package dev.inboxd.calendar.feed;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.id.Digests;
import dev.inboxd.calendar.CalendarModule;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Links to feeds: who makes them, what they answer, and when they end (calendar.md §10). */
class CalendarFeedHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    /** A key of the organization with these permissions. */
    private static HttpProbe key(String more, String... permissions) {
        return world.as(world.http()
                .post("/v0/api-keys", """
                {"permissions":{"%s":true}%s}""".formatted(String.join("\":true,\"", permissions), more))
                .is(200)
                .text("api_key"));
    }

    /** Makes a link with a key, and returns its path. */
    private static String link(HttpProbe key, CalendarProbe calendar) {
        return URI.create(key.post(calendar.path("/feed"), "").is(201).text("url"))
                .getPath();
    }

    private static HttpProbe.Answer read(String path) {
        return world.anonymous().get(path);
    }

    @Test
    void aLinkIsReadWithoutAKeyAndWithoutARedirect() {
        CalendarProbe calendar = new CalendarProbe(world);
        calendar.single(calendar.soon(3_600), calendar.soon(7_200));
        HttpProbe.Answer made = calendar.post("/feed", "").is(201);
        assertThat(CalendarProbe.object(made.at("")).keySet()).isEqualTo(Set.of("url", "created_at"));
        assertThat(made.header("Cache-Control")).isEqualTo("no-store");
        assertThat(Instant.parse(made.text("created_at")))
                .isBetween(
                        world.clock().instant().minusSeconds(60),
                        world.clock().instant().plusSeconds(60));
        URI url = URI.create(made.text("url"));
        assertThat(url.getPath()).matches("/calendar-feeds/[0-9A-Za-z]{22}\\.ics");

        HttpProbe.Answer feed = read(url.getPath()).is(200);
        assertThat(feed.header("Content-Type")).isEqualTo("text/calendar; charset=utf-8");
        assertThat(feed.header("Cache-Control")).isEqualTo("private, no-cache");
        assertThat(feed.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(feed.text())
                .startsWith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
                .contains("\r\nNAME:" + calendar.inbox() + "\r\nX-WR-CALNAME:" + calendar.inbox() + "\r\n")
                .contains("\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n")
                .contains("\r\nSUMMARY:Call\r\n")
                .doesNotContain("METHOD")
                .endsWith("END:VCALENDAR\r\n");
        HttpProbe.Answer head =
                world.anonymous().send("HEAD", url.getPath(), null).is(200);
        assertThat(head.text()).isEmpty();
        assertThat(head.header("ETag")).isEqualTo(feed.header("ETag"));
        assertThat(head.header("Content-Length")).isEqualTo(feed.header("Content-Length"));
        world.anonymous().post(url.getPath(), "").is(404);
    }

    /** Subscribers ask once an hour, and pages show calendars of others. */
    @Test
    void aFeedIsReadCompressedByItsDateAndByPagesOfAnybody() throws IOException {
        CalendarProbe calendar = new CalendarProbe(world);
        String path = link(world.http(), calendar);
        HttpProbe.Answer plain = read(path).is(200);
        HttpProbe.Answer packed = world.anonymous()
                .with("Accept-Encoding", "br, gzip;q=0.8")
                .get(path)
                .is(200);
        assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(plain.text());
        }
        assertThat(world.anonymous()
                        .with("Accept-Encoding", "gzip;q=0")
                        .get(path)
                        .is(200)
                        .text())
                .isEqualTo(plain.text());
        world.anonymous().with("If-None-Match", tag(packed)).get(path).is(304);
        String date = String.valueOf(plain.header("Last-Modified"));
        assertThat(date).matches("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
        HttpProbe.Answer known = world.anonymous()
                .with("If-Modified-Since", date)
                .with("Origin", "https://page.test")
                .get(path)
                .is(304);
        assertThat(known.header("Access-Control-Allow-Origin")).isEqualTo("*");
        world.anonymous()
                .with("If-Modified-Since", "Mon, 01 Jan 2001 00:00:00 GMT")
                .get(path)
                .is(200);
        world.anonymous().with("If-Modified-Since", "yesterday").get(path).is(200);
    }

    @Test
    void aCalendarThatDidNotChangeIsNotSentAgain() {
        CalendarProbe calendar = new CalendarProbe(world);
        String path = link(world.http(), calendar);
        String empty = tag(read(path).is(200));
        assertThat(empty).startsWith("\"");
        for (String same : List.of(empty, "W/" + empty, "\"x\", " + empty, "*")) {
            HttpProbe.Answer known =
                    world.anonymous().with("If-None-Match", same).get(path).is(304);
            assertThat(known.body()).isEmpty();
            assertThat(known.header("ETag")).isEqualTo(empty);
            assertThat(known.header("Cache-Control")).isEqualTo("private, no-cache");
        }
        String series = calendar.series(calendar.soon(86_400), "FREQ=DAILY;COUNT=5");
        String before = changed(path, empty);
        String date = String.valueOf(
                calendar.list("/events/" + series + "/instances", "event_id").get(1));
        calendar.patch("/events/" + date, "{'title':'Other'}").is(200);
        before = changed(path, before);
        calendar.delete("/events/" + date).is(202);
        before = changed(path, before);
        calendar.patch("/events/" + series, "{'title':'Third'}").is(200);
        before = changed(path, before);
        calendar.patch("", "{'timezone':'Europe/Berlin'}").is(200);
        before = changed(path, before);
        world.http()
                .patch("/v0/inboxes/" + calendar.inbox(), json("display_name", "Ann; \"A\", and Bo"))
                .is(200);
        before = changed(path, before);
        assertThat(read(path).text())
                .contains("\r\nX-WR-CALNAME:Ann\\; \"A\"\\, and Bo\r\n", "\r\nX-WR-TIMEZONE:Europe/Berlin\r\n");
        calendar.delete("/events/" + series).is(202);
        before = changed(path, before);
        world.mail("jo@example.com", calendar.inbox(), "Subject: Hi\n\nHello.\n");
        new CalendarProbe(world).single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        world.anonymous().with("If-None-Match", before).get(path).is(304);
    }

    private static String tag(HttpProbe.Answer answer) {
        return String.valueOf(answer.header("ETag"));
    }

    /** Reads a feed that changed since it had this tag. */
    private static String changed(String path, String before) {
        String now =
                tag(world.anonymous().with("If-None-Match", before).get(path).is(200));
        assertThat(now).isNotEqualTo(before);
        return now;
    }

    @Test
    void everyLinkThatDoesNotWorkIsAnsweredAlike() {
        CalendarProbe calendar = new CalendarProbe(world);
        String path = link(world.http(), calendar);
        String ended = link(world.http(), new CalendarProbe(world));
        String inbox = new CalendarProbe(world).inbox();
        calendar.delete("/feed").is(202);
        calendar.delete("/feed").is(202);
        HttpProbe.Answer gone = read(path).is(404);
        assertThat(gone.text("code")).isEqualTo("not_found");
        String file = ended.substring("/calendar-feeds/".length());
        for (String wrong : List.of(
                "x",
                "0".repeat(22) + ".ics",
                file.replace(".ics", ""),
                file.toUpperCase(Locale.ROOT),
                file + "/",
                "%F0%9F%98%80.ics",
                "'%20or%201=1--.ics",
                inbox,
                "a".repeat(2_000))) {
            HttpProbe.Answer refused = read("/calendar-feeds/" + wrong).is(404);
            if (!wrong.endsWith("/")) {
                assertThat(without(refused)).as(wrong).isEqualTo(without(gone));
                assertThat(refused.headers().map().keySet())
                        .isEqualTo(gone.headers().map().keySet());
            }
        }
        read(ended).is(200);
    }

    private static Object without(HttpProbe.Answer answer) {
        return List.of(answer.text("code"), answer.text("message"), answer.text("fix"));
    }

    @Test
    void itTakesBothPermissionsAndAKey() {
        CalendarProbe calendar = new CalendarProbe(world);
        for (List<String> one : List.of(
                List.of("calendar_update", "calendar_event_read"), List.of("calendar_event_read", "calendar_update"))) {
            HttpProbe.Answer refused =
                    key("", one.getFirst()).post(calendar.path("/feed"), "").is(403);
            assertThat(refused.text("code")).isEqualTo("missing_permission");
            assertThat(refused.text("fix")).contains(one.getLast());
        }
        read(link(key("", "calendar_update", "calendar_event_read"), calendar)).is(200);
        assertThat(world.as(world.session())
                        .post(calendar.path("/feed"), "")
                        .is(401)
                        .text("code"))
                .isEqualTo("invalid_token_type");
        key("", "calendar_event_read").delete(calendar.path("/feed")).is(403);
    }

    @Test
    @Proves("P12")
    void aLinkEndsWithItsKey() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe deleted = key("", "calendar_update", "calendar_event_read");
        String byDeleted = link(deleted, calendar);
        String byOther = link(world.http(), calendar);
        world.http()
                .delete("/v0/api-keys/" + deleted.get("/v0/auth/me").text("api_key_id"))
                .is(200);
        read(byDeleted).is(404);

        HttpProbe narrowed = key("", "calendar_update", "calendar_event_read");
        String byNarrowed = link(narrowed, calendar);
        String id = narrowed.get("/v0/auth/me").text("api_key_id");
        world.http()
                .patch("/v0/api-keys/" + id, json("permissions", object("calendar_update", true)))
                .is(200);
        read(byNarrowed).is(404);

        String expires = world.clock().instant().plusSeconds(3_600).toString();
        String byExpired =
                link(key("," + members("expires_at", expires), "calendar_update", "calendar_event_read"), calendar);
        read(byExpired).is(200);
        world.advance(Duration.ofHours(2));
        read(byExpired).is(404);
        read(byOther).is(200);

        assertThat(rows("calendar_feed", calendar))
                .as("a new link takes the place of those that are over")
                .isEqualTo(3);
        CalendarModule.forgetFeeds(world.database(), world.clock());
        assertThat(rows("calendar_feed", calendar))
                .as("that of a narrowed key is kept")
                .isEqualTo(2);
        read(byOther).is(200);
    }

    private static int rows(String table, CalendarProbe calendar) {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(world.organization()),
                                "select count(*) as n from " + table
                                        + " c join inbox i on i.organization_id = c.organization_id"
                                        + " and i.inbox_id = c.inbox_id where {c} and i.address = :address")
                        .bind("address", calendar.inbox())
                        .single(row -> row.integer("n")));
    }

    @Test
    void aKeyOfAnInboxMakesLinksToItAlone() {
        CalendarProbe own = new CalendarProbe(world);
        CalendarProbe other = new CalendarProbe(world);
        other.create("{'title':'Secret of the other','start':'" + other.soon(60) + "','end':'" + other.soon(120) + "'}")
                .is(201);
        HttpProbe key = world.as(world.inboxKey(own.inbox()));
        key.post(other.path("/feed"), "").is(404);
        key.delete(other.path("/feed")).is(404);
        assertThat(read(link(key, own)).is(200).text()).doesNotContain("Secret");
    }

    @Test
    void aLinkEndsWithItsInboxAndItsAddressBeginsWithoutOne() {
        CalendarProbe calendar = new CalendarProbe(world);
        String path = link(world.http(), calendar);
        world.http().delete("/v0/inboxes/" + calendar.inbox()).is(200);
        read(path).is(404);
        Eventually.await(() -> world.http()
                        .post("/v0/inboxes", json("username", calendar.inbox().split("@", -1)[0]))
                        .status()
                == 200);
        calendar.single(calendar.soon(60), calendar.soon(120));
        read(path).is(404);
        Eventually.await(() -> tokens(path) == 0);
    }

    private static int tokens(String path) {
        byte[] hash = Digests.sha256(path.substring("/calendar-feeds/".length()));
        return world.database()
                .read(tx -> tx.sql("select count(*) as n from calendar_feed_token t where t.hash = :hash")
                        .bind("hash", hash)
                        .single(row -> row.integer("n")));
    }

    @Test
    void tenantsSeeTheirOwn() {
        CalendarProbe ours = new CalendarProbe(world);
        String path = link(world.http(), ours);
        ours.create("{'title':'Ours','start':'" + ours.soon(60) + "','end':'" + ours.soon(120) + "'}")
                .is(201);
        HttpProbe other = world.as(world.otherOrganization());
        String theirs = other.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        other.post(ours.path("/feed"), "").is(404);
        other.delete(ours.path("/feed")).is(404);
        String their = URI.create(other.post("/v0/inboxes/" + theirs + "/calendar/feed", "")
                        .is(201)
                        .text("url"))
                .getPath();
        assertThat(read(path).is(200).text()).contains("SUMMARY:Ours").doesNotContain(theirs);
        assertThat(read(their).is(200).text()).contains(theirs).doesNotContain("SUMMARY:Ours");
    }

    @Test
    void aCalendarHasTenLinksAndThoseOfDeletedKeysDoNotCount() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe key = key("", "calendar_update", "calendar_event_read");
        link(key, calendar);
        for (int i = 1; i < 10; i++) {
            link(world.http(), calendar);
        }
        HttpProbe.Answer refused = calendar.post("/feed", "").is(403);
        assertThat(refused.text("code")).isEqualTo("limit_exceeded");
        assertThat(refused.at("resource")).isEqualTo("calendar_feeds");
        assertThat(refused.at("limit")).isEqualTo(10L);
        link(world.http(), new CalendarProbe(world));
        world.http()
                .delete("/v0/api-keys/" + key.get("/v0/auth/me").text("api_key_id"))
                .is(200);
        link(world.http(), calendar);
        calendar.post("/feed", "").is(403);
        calendar.delete("/feed").is(202);
        link(world.http(), calendar);
    }

    @Test
    void aKeyWhoseMailNeedsApprovalMakesNoLink() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe human = world.as(world.session());
        HttpProbe watched = world.as(human.post("/v0/api-keys", json("send_approval", "required"))
                .is(200)
                .text("api_key"));
        assertThat(watched.post(calendar.path("/feed"), "").is(403).text("fix")).contains("another key");
        link(world.http(), calendar);
    }

    @Test
    void calendarsThatAreOffHaveNoFeeds() {
        CalendarProbe calendar = new CalendarProbe(world);
        String path = link(world.http(), calendar);
        try (World off = world.beside(Map.of("INBOXD_CALENDARS", "off"))) {
            off.anonymous().get(path).is(404);
            off.http().post(calendar.path("/feed"), "").is(403);
            off.http().delete(calendar.path("/feed")).is(403);
        }
        read(path).is(200);
    }

    @Test
    void linksAndGuessesHaveRates() {
        try (World limited = World.start(Map.of("INBOXD_LIMITS", "calendar_feeds=3,refusals=6"))) {
            CalendarProbe calendar = new CalendarProbe(limited);
            String path =
                    URI.create(calendar.post("/feed", "").is(201).text("url")).getPath();
            for (int i = 0; i < 3; i++) {
                limited.anonymous().get(path).is(200);
            }
            HttpProbe.Answer refused = limited.anonymous().get(path).is(429);
            assertThat(refused.at("resource")).isEqualTo("calendar_feeds");
            assertThat(refused.header("Retry-After")).isNotNull();
            int guesses = 0;
            while (limited.anonymous()
                            .get("/calendar-feeds/" + guesses + ".ics")
                            .status()
                    == 404) {
                assertThat(guesses++).isLessThan(20);
            }
            assertThat(guesses).isGreaterThan(2);
        }
    }
}
