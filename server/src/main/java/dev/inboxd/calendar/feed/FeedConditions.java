package dev.inboxd.calendar.feed;

import dev.inboxd.base.http.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Which octets of a feed a client has, and which it takes (RFC 9110 §8.8, §12.5.3, §13). */
final class FeedConditions {
    private static final String GZIP = "-gzip\"";
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private FeedConditions() {}

    /** Whether a client has the octets of a feed already. */
    static boolean isKnown(Request request, CalendarFeeds.OpenFeed feed) {
        String tags = request.header("If-None-Match");
        return tags != null ? isKnown(tags, feed.tag()) : isSince(request.header("If-Modified-Since"), feed);
    }

    /** RFC 9110 §13.1.2: tags are compared weakly. */
    private static boolean isKnown(String condition, String tag) {
        for (String item : condition.split(",", -1)) {
            String listed = item.strip();
            String strong = listed.startsWith("W/") ? listed.substring(2) : listed;
            if (listed.equals("*") || strong.equals(tag) || strong.equals(shortTag(tag))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSince(@Nullable String condition, CalendarFeeds.OpenFeed feed) {
        try {
            return condition != null
                    && !feed.modifiedAt()
                            .isAfter(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(condition.strip())));
        } catch (DateTimeException malformed) {
            return false;
        }
    }

    /** The tag of the compressed octets. */
    static String shortTag(String tag) {
        return tag.substring(0, tag.length() - 1) + GZIP;
    }

    static String date(Instant at) {
        return DATE.format(at);
    }

    /** Whether a client takes gzip by name: one that says nothing gets the octets as they are. */
    static boolean takesGzip(@Nullable String accepted) {
        if (accepted == null) {
            return false;
        }
        for (String coding : accepted.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = coding.replace(" ", "").split(";", -1);
            if (parts[0].equals("gzip") || parts[0].equals("x-gzip")) {
                return parts.length < 2 || !parts[1].matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    static byte[] gzip(byte[] octets) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(octets.length / 4 + 64);
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(octets);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }
}
