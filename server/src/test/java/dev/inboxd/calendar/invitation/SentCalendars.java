package dev.inboxd.calendar.invitation;

import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The calendars that an inbox has sent, the last one first. */
final class SentCalendars {
    private SentCalendars() {}

    static List<CalendarMail> of(World world, CalendarProbe calendar) {
        String messages = "/v0/inboxes/" + calendar.inbox() + "/messages";
        List<CalendarMail> sent = new ArrayList<>();
        for (Object item :
                world.http().get(messages + "?labels=sent&limit=100").is(200).list("messages")) {
            String id = String.valueOf(((Map<?, ?>) item).get("message_id"));
            String url = world.http()
                    .get(messages + "/" + URLEncoder.encode(id, StandardCharsets.UTF_8) + "/raw")
                    .is(200)
                    .text("download_url");
            sent.add(CalendarMail.read(
                    world.anonymous().get(URI.create(url).getPath()).is(200).body()));
        }
        return sent;
    }

    /** The same once there are so many. */
    static List<CalendarMail> await(World world, CalendarProbe calendar, int count) {
        List<CalendarMail> sent = new ArrayList<>();
        Eventually.await(() -> {
            sent.clear();
            sent.addAll(of(world, calendar));
            return sent.size() >= count;
        });
        return sent;
    }

    /** DTSTAMP of a mail. */
    static String stamp(CalendarMail mail) {
        return property(mail, "DTSTAMP:");
    }

    /** What follows the beginning of a line of the first event. */
    static String property(CalendarMail mail, String begin) {
        return mail.unfolded()
                .substring(mail.unfolded().indexOf("BEGIN:VEVENT"))
                .lines()
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .map(line -> line.substring(begin.length()))
                .orElse("");
    }
}
