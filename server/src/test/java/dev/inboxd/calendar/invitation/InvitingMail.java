package dev.inboxd.calendar.invitation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Mail of organizers and attendees elsewhere that comes to one inbox. The client is 127.0.0.1, which boss.test names in
 * SPF.
 */
final class InvitingMail {
    static final String BOSS = "boss@boss.test";
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final World world;
    private final CalendarProbe calendar;

    InvitingMail(World world, CalendarProbe calendar) {
        this.world = world;
        this.calendar = calendar;
    }

    /** A world that knows whose word mail of boss.test is. */
    static World world() {
        World world = World.start();
        world.dns().text("boss.test", "v=spf1 ip4:127.0.0.1 -all");
        return world;
    }

    CalendarProbe calendar() {
        return calendar;
    }

    /** An event; where it says nothing else it is of the boss, at ten, with the inbox. */
    String event(String uid, String... properties) {
        String lines = String.join("\n", properties) + "\n";
        return "BEGIN:VEVENT\nUID:" + uid + "\n" + lines
                + (lines.contains("DTSTART") ? "" : "DTSTART:20990105T100000Z\nDTEND:20990105T110000Z\n")
                + (lines.contains("ORGANIZER") ? "" : "ORGANIZER:mailto:" + BOSS + "\n")
                + (lines.contains("DTSTAMP") ? "" : "DTSTAMP:20260101T000000Z\n")
                + (lines.contains("ATTENDEE")
                        ? ""
                        : "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:" + calendar.inbox()
                                + "\nATTENDEE:mailto:li@boss.test\n")
                + "END:VEVENT\n";
    }

    /** Sends a calendar as the boss, waits until it was read, and returns what became of it. */
    Map<?, ?> send(String method, String... events) {
        return sendAs(BOSS, calendar.inbox(), method, events);
    }

    Map<?, ?> sendAs(String from, String to, String method, String... events) {
        String id = mail(from, to, method, events);
        Eventually.await(() -> message(id).at("calendar_import") != null);
        return CalendarProbe.object(Objects.requireNonNull(message(id).at("calendar_import")));
    }

    private String mail(String from, String to, String method, String... events) {
        String id = "<i" + NUMBER.incrementAndGet() + "@boss.test>";
        String reply = world.mail(
                from,
                to,
                "From: " + from + "\nTo: " + to + "\nSubject: Invitation\nMessage-ID: " + id
                        + "\nMIME-Version: 1.0\nContent-Type: text/calendar; charset=utf-8; method=" + method
                        + "\n\nBEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:" + method + "\n" + String.join("", events)
                        + "END:VCALENDAR\n");
        assertThat(reply).startsWith("250");
        return id;
    }

    HttpProbe.Answer message(String id) {
        return world.http()
                .get("/v0/inboxes/" + calendar.inbox() + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8))
                .is(200);
    }

    /** The starts of what takes place in January 2099, in order. */
    List<String> starts() {
        String january = "/agenda?after=2099-01-01T00:00:00Z&before=2099-02-01T00:00:00Z&limit=100";
        return calendar.list(january, "start").stream().map(String::valueOf).toList();
    }

    /** The ids of events. */
    List<?> ids() {
        return calendar.list("/events?limit=100", "event_id");
    }

    /** A member of an event. */
    Object of(Object id, String member) {
        return String.valueOf(calendar.get("/events/" + id).is(200).at(member));
    }
}
