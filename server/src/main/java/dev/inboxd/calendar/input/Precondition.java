package dev.inboxd.calendar.input;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.calendar.content.CalendarConfig;
import dev.inboxd.calendar.content.EntityTag;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state that a change is made to, by its If-Match (RFC 9110 §13.1.1).
 *
 * @param tags the tags that it may have; null for any
 */
public record Precondition(@Nullable Set<String> tags) {
    private static final String FIELD = "If-Match";
    private static final int LONGEST = 4_096;

    /** Any state. */
    static final Precondition NONE = new Precondition(null);

    /**
     * Reads the header of a request.
     *
     * @throws Problem {@code precondition_required} when it is missing and these calendars ask for it,
     *     {@code validation_error} when it is malformed
     */
    public static Precondition of(Request request, CalendarConfig config) {
        String field = request.header(FIELD);
        if (field == null && config.requiresIfMatch()) {
            throw Problem.of(ErrorCode.PRECONDITION_REQUIRED, "If-Match is required for a change of a calendar");
        }
        return field == null ? NONE : parse(field);
    }

    static Precondition parse(String field) {
        if (field.strip().equals("*")) {
            return NONE;
        }
        Set<String> tags = new HashSet<>();
        int at = 0;
        boolean tagExpected = true; // a tag must follow
        while (at < field.length() && field.length() <= LONGEST) {
            char c = field.charAt(at);
            if (c == ' ' || c == '\t') {
                at++;
            } else if (c == ',') {
                tagExpected = true;
                at++;
            } else {
                int open = field.startsWith("W/", at) ? at + 2 : at;
                int end = tagExpected ? end(field, open) : -1;
                if (end < 0) {
                    throw malformed();
                }
                tags.add(field.substring(open + 1, end));
                tagExpected = false;
                at = end + 1;
            }
        }
        if (tags.isEmpty() || field.length() > LONGEST) {
            throw malformed();
        }
        return new Precondition(tags);
    }

    /** The closing quote of a tag that opens there, or -1. */
    private static int end(String field, int open) {
        if (open >= field.length() || field.charAt(open) != '"') {
            return -1;
        }
        int end = field.indexOf('"', open + 1);
        for (int i = open + 1; i < end; i++) {
            if (field.charAt(i) <= ' ' || field.charAt(i) == 0x7F) {
                return -1;
            }
        }
        return end;
    }

    private static Problem malformed() {
        return Problem.invalid(List.of(new Fault(
                List.of("headers", "if-match"), "If-Match must be * or a list of tags in quotes, such as \"rv-3\"")));
    }

    /**
     * Refuses a change of another state: {@code precondition_failed}.
     *
     * @param tag of the state that is there
     * @param revision of it, for the answer
     */
    public void require(EntityTag tag, long revision) {
        if (tags != null && !tags.contains(tag.opaque())) {
            throw Problem.of(
                            ErrorCode.PRECONDITION_FAILED,
                            "It was changed since the state that If-Match names",
                            "Read the event again and retry with its new etag.")
                    .with("current_revision", revision);
        }
    }
}
