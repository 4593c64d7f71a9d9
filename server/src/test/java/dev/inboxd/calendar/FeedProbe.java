package dev.inboxd.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the feed of a calendar, for tests. */
public final class FeedProbe {
    private final World world;
    private final String path;

    /** A link to the feed of a calendar. */
    public FeedProbe(World world, CalendarProbe calendar) {
        this.world = world;
        this.path = URI.create(calendar.post("/feed", "").is(201).text("url")).getPath();
    }

    public HttpProbe.Answer read() {
        return world.anonymous().get(path).is(200);
    }

    /** The properties of each VEVENT, unfolded, each with its parameters. */
    public List<List<String>> events() {
        String text = read().text().replace("\r\n ", "");
        List<List<String>> events = new ArrayList<>();
        for (String part : text.split("BEGIN:VEVENT\r\n", -1)) {
            events.add(List.of(part.split("\r\nEND:VEVENT\r\n", -1)[0].split("\r\n", -1)));
        }
        return events.subList(1, events.size());
    }

    /** The values of a property in all events, without parameters, in alphabetical order. */
    public List<String> values(String name) {
        return events().stream().flatMap(event -> values(event, name)).sorted().toList();
    }

    /** The values of a property of an event. */
    public static Stream<String> values(List<String> event, String name) {
        return event.stream()
                .filter(line -> line.startsWith(name + ":") || line.startsWith(name + ";"))
                .map(line -> line.substring(line.indexOf(':') + 1));
    }

    /** What a program of somebody else's says of the feed. */
    public List<String> asked(String script) throws IOException, InterruptedException {
        Path feed = Files.createTempFile("feed", ".ics");
        Path said = Files.createTempFile("feed", ".txt");
        try {
            Files.write(feed, read().body());
            // Debian's libraries belong to Debian's Python.
            Process python = new ProcessBuilder("/usr/bin/python3", "-c", script, feed.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            int status = python.waitFor();
            String text = Files.readString(said, StandardCharsets.UTF_8);
            assertThat(status).as(text).isZero();
            return text.lines().toList();
        } finally {
            Files.delete(feed);
            Files.delete(said);
        }
    }
}
