package dev.inboxd.console.view;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.json.JsonTree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What every page of the console has around its content.
 *
 * @param base the path of the public URL, without a slash at its end
 * @param title of the page
 * @param place the entry of the navigation that it belongs to
 * @param who acts, and for which organization
 * @param token proves that a form was got from here
 * @param note what it says above its content
 * @param cursor the position in the log of events at which the page was made; empty for a page that does not change
 * @param now the time at which it was made
 * @param curls the calls of the API that the page shows, as commands
 */
public record PageFrame(
        String base,
        String title,
        String place,
        Who who,
        String token,
        Note note,
        String cursor,
        Instant now,
        List<String> curls) {
    /** Labels that a list shows in another way, or not: they are on nearly every conversation. */
    public static final Set<String> UNSHOWN = Set.of("unread", "received", "sent", "delivered");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ROOT);
    private static final DateTimeFormatter YEAR = DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ROOT);

    /**
     * Who looks at the page.
     *
     * @param name an address, or the word for whoever is at an open console
     * @param organization its id
     * @param role what somebody may do who looks at it
     * @param signedIn whether there is a session to leave
     * @param several whether another organization can be chosen
     * @param pays whether calls are paid for anywhere on this server
     */
    public record Who(String name, String organization, Role role, boolean signedIn, boolean several, boolean pays) {}

    /**
     * What a page says above its content.
     *
     * @param words what the last action did; empty for nothing
     * @param undo the ids of what it threw away; empty for nothing
     * @param hold why nothing leaves the server; empty while it does
     */
    public record Note(String words, String undo, String hold) {
        /** A page that says nothing. */
        public static final Note NONE = new Note("", "", "");
    }

    public PageFrame {
        curls = List.copyOf(curls);
    }

    /** Whether whoever looks at the page may decide what waits. */
    public boolean approves() {
        return who.role().covers(Role.APPROVE);
    }

    /** Whether whoever looks at the page may do everything. */
    public boolean owns() {
        return who.role().covers(Role.OWN);
    }

    /** The address of a page from its segments, each of which is encoded whole. */
    public String url(String... segments) {
        StringBuilder path = new StringBuilder(base).append("/console");
        for (String segment : segments) {
            path.append('/').append(LocalCall.encoded(segment));
        }
        return path.toString();
    }

    /** A word of a query, encoded. */
    public String word(String value) {
        return LocalCall.encoded(value);
    }

    /** A time of the API in few letters: the time of day of the last day, else the date. */
    public String shortTime(String time) {
        try {
            Instant at = Instant.parse(time);
            Duration age = Duration.between(at, now);
            DateTimeFormatter form = age.abs().toHours() < 24 ? TIME : age.abs().toDays() < 300 ? DAY : YEAR;
            return form.withZone(ZoneOffset.UTC).format(at);
        } catch (DateTimeParseException malformed) {
            return time;
        }
    }

    /** A time of the API, whole and readable. */
    public String longTime(String time) {
        return time.length() > 19 ? time.substring(0, 10) + " " + time.substring(11, 19) + " UTC" : time;
    }

    /** A time of the API in seconds since 1970, as the headers of a delivery have it. */
    public String seconds(String time) {
        try {
            return String.valueOf(Instant.parse(time).getEpochSecond());
        } catch (DateTimeParseException malformed) {
            return time;
        }
    }

    /** A number of bytes. */
    public String size(long bytes) {
        return bytes < 1_024 ? bytes + " B" : bytes < 1_048_576 ? bytes / 1_024 + " KiB" : bytes / 1_048_576 + " MiB";
    }

    /** The address of a mailbox, without its name. */
    public String address(String mailbox) {
        int angle = mailbox.lastIndexOf('<');
        return angle < 0 || !mailbox.endsWith(">") ? mailbox : mailbox.substring(angle + 1, mailbox.length() - 1);
    }

    /**
     * Who writes to whom in a conversation, by its newest message: {@code Ada → Maria +2}.
     *
     * @param thread as the API lists it
     */
    public String parties(JsonTree thread) {
        String inbox = thread.text("inbox_id");
        String own = thread.texts("senders").stream()
                .filter(sender -> address(sender).equalsIgnoreCase(inbox))
                .map(this::name)
                .filter(name -> !name.equalsIgnoreCase(inbox))
                .findFirst()
                .orElse(inbox.substring(0, Math.max(0, inbox.indexOf('@'))));
        boolean sent = thread.has("last_direction")
                ? thread.text("last_direction").equals("sent")
                : !thread.texts("labels").contains("received");
        List<String> others = Stream.concat(
                        thread.texts("senders").stream(), sent ? thread.texts("recipients").stream() : Stream.empty())
                .filter(mailbox -> !address(mailbox).equalsIgnoreCase(inbox))
                .map(this::name)
                .distinct()
                .toList();
        String correspondent = others.isEmpty()
                ? sent ? "itself" : own
                : others.getFirst() + (others.size() > 1 ? " +" + (others.size() - 1) : "");
        return sent ? own + " → " + correspondent : correspondent + " → " + own;
    }

    /** The name of a mailbox without its address; the address where there is no name. */
    public String name(String mailbox) {
        int angle = mailbox.lastIndexOf(" <");
        String name = angle > 0 ? mailbox.substring(0, angle) : mailbox;
        return name.length() > 1 && name.startsWith("\"") && name.endsWith("\"")
                ? name.substring(1, name.length() - 1)
                : name;
    }
}
