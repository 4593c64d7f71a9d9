package dev.inboxd.screening;

import dev.inboxd.mail.calendar.CalendarWords;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.PartStart;
import dev.inboxd.mail.message.PartStarts;
import dev.inboxd.mail.screen.ScreenAttachment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Gathers the texts of attachments, and of the messages within the message, as the screen reads them. */
final class PartTexts implements PartStarts.Visitor {
    private static final String PLAIN = "text/plain";
    private static final String HTML = "text/html";
    private static final int BEGINNING = 256;
    /** Characters of the names of files of messages within the message. */
    private static final int MOST_NAMES = 64 * 1024;

    private final List<ScreenAttachment> texts = new ArrayList<>();
    private final List<String> filenames = new ArrayList<>();
    private int left = AttachmentShares.MOST;
    private int leftOfCalendars = 2 * AttachmentShares.MOST_OF_CALENDARS;
    private int leftNames = MOST_NAMES;

    List<ScreenAttachment> texts() {
        return texts;
    }

    /** The names of files of messages within the message. */
    List<String> filenames() {
        return filenames;
    }

    @Override
    public void part(PartStart part) {
        if (part.mediaType().equals("text/calendar") || CalendarWords.begin(part.octets())) {
            CalendarWords words = CalendarWords.of(part.octets());
            calendar(part.filename(), PLAIN, words.text());
            calendar(part.filename(), HTML, words.html());
            if (part.mediaType().equals("text/calendar")) {
                return;
            }
        }
        String type = isHtml(part) ? HTML : part.mediaType();
        if (AttachmentShares.isCalendar(part.mediaType(), part.filename())) {
            part.texts().forEach(text -> calendar(part.filename(), type, text));
        } else {
            part.texts().forEach(text -> add(part.filename(), type, text));
        }
    }

    @Override
    public void header(List<HeaderField> fields) {
        add("", PLAIN, ScreenSource.fields(fields));
    }

    @Override
    public void filename(String name) {
        if (name.length() <= leftNames) {
            leftNames -= name.length();
            filenames.add(name);
        }
    }

    /** Calendars take nothing of what others have. */
    private void calendar(String name, String type, String text) {
        leftOfCalendars -= add(name, type, text, leftOfCalendars);
    }

    private void add(String name, String type, String text) {
        left -= add(name, type, text, left);
    }

    /** Returns how many characters it took of the room. */
    private int add(String name, String type, String text, int room) {
        String portion = text.length() <= room ? text : text.substring(0, room);
        if (portion.isBlank()) {
            return 0;
        }
        texts.add(new ScreenAttachment(name, type, portion));
        return portion.length();
    }

    /** By its type, its name or its beginning. */
    private static boolean isHtml(PartStart part) {
        String name = part.filename().toLowerCase(Locale.ROOT);
        String start = new String(
                        part.octets(), 0, Math.min(part.octets().length, BEGINNING), StandardCharsets.ISO_8859_1)
                .strip()
                .toLowerCase(Locale.ROOT);
        return part.mediaType().contains("html")
                || part.mediaType().contains("svg")
                || name.endsWith(".html")
                || name.endsWith(".htm")
                || name.endsWith(".svg")
                || start.startsWith("<html")
                || start.startsWith("<!doctype html");
    }
}
