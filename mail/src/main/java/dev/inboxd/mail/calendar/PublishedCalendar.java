package dev.inboxd.mail.calendar;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * A calendar that others subscribe to (RFC 5545 §3.4 without a method, RFC 7986 §5), bounded in components and size.
 * What is added is either whole in it or not at all.
 */
public final class PublishedCalendar {
    /** More octets than the component of a zone takes. */
    private static final int ZONE = 48 * 1024;

    private final ContentLines head = new ContentLines();
    private final ZoneSpans zones = new ZoneSpans();
    private final List<byte[]> events = new ArrayList<>();
    private final Bounds bounds;
    private int components;
    private int size;

    /**
     * What readers show of the calendar itself.
     *
     * @param name a text
     * @param zone of the calendar
     * @param refresh how often it is worth to be read
     */
    public record Head(String name, ZoneId zone, Duration refresh) {}

    /**
     * What it may hold.
     *
     * @param components VEVENTs
     * @param octets of all of it
     */
    public record Bounds(int components, int octets) {}

    /** A calendar without events. */
    public PublishedCalendar(Head properties, Bounds bounds) {
        this.bounds = bounds;
        ICalendarWriter.begin(head);
        // The names without X are those of RFC 7986; the others are what programs read that are older than it.
        head.add("NAME", properties.name)
                .add("X-WR-CALNAME", properties.name)
                .add("X-WR-TIMEZONE", properties.zone.getId())
                .add("REFRESH-INTERVAL;VALUE=DURATION:" + properties.refresh)
                .add("X-PUBLISHED-TTL:" + properties.refresh);
        this.size = head.octets().length + end().length;
    }

    /**
     * Adds an event with its edited dates.
     *
     * @return false when they find no room; then nothing more is to be added
     */
    public boolean add(List<EventComponent> event) {
        byte[] lines = ICalendarWriter.events(event);
        event.forEach(zones::add);
        boolean isRoom = components + event.size() <= bounds.components
                && size + lines.length + zones.count() * ZONE <= bounds.octets;
        if (isRoom) {
            events.add(lines);
            components += event.size();
            size += lines.length;
        }
        return isRoom;
    }

    /** UTF-8, lines of at most 75 octets that end in CRLF. */
    public byte[] octets() {
        zones.write(head);
        byte[] begin = head.octets();
        byte[] end = end();
        int all = begin.length
                + end.length
                + events.stream().mapToInt(event -> event.length).sum();
        ByteBuffer octets = ByteBuffer.allocate(all).put(begin);
        events.forEach(octets::put);
        return octets.put(end).array();
    }

    private static byte[] end() {
        return new ContentLines().add("END:VCALENDAR").octets();
    }
}
