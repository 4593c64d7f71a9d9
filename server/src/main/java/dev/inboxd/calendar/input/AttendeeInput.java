package dev.inboxd.calendar.input;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.AttendeeStatus;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.AddressText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An attendee as a request gives it.
 *
 * @param status null when the request says nothing of it
 */
public record AttendeeInput(
        String email,
        @Nullable String name,
        boolean required,
        @Nullable AttendeeStatus status,
        @Nullable String comment,
        @Nullable Instant respondedAt) {
    /** How many attendees an event has at most. */
    static final int MOST = 100;

    public static final int LONGEST_COMMENT = 4_096;

    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_ADDRESS = 320;

    /** Reads the member {@code attendees}; faults are collected in the body. */
    static List<AttendeeInput> read(JsonBody body) {
        List<AttendeeInput> all = new ArrayList<>();
        Set<String> addresses = new HashSet<>();
        for (JsonBody item : body.objects("attendees", MOST)) {
            AttendeeInput input = readOne(item);
            if (!input.email.isEmpty() && !addresses.add(input.email)) {
                item.fault("email", "The address " + input.email + " is twice among the attendees");
            }
            all.add(input);
        }
        return all;
    }

    private static AttendeeInput readOne(JsonBody body) {
        String role = body.choice("role", new String[] {"required", "optional"}, word -> word);
        String comment = body.string("comment").multiline().optional();
        return new AttendeeInput(
                email(body),
                body.string("name").multiline().max(LONGEST_NAME).optional(),
                !"optional".equals(role),
                body.choice("status", AttendeeStatus.values(), AttendeeStatus::wireName),
                comment == null || isTooLong(comment) ? null : comment,
                body.instant("responded_at"));
    }

    public static boolean isTooLong(String comment) {
        return comment.getBytes(StandardCharsets.UTF_8).length > LONGEST_COMMENT;
    }

    private static String email(JsonBody body) {
        String text = body.string("email").max(LONGEST_ADDRESS).required().strip();
        if (!text.isEmpty()) {
            try {
                return AddrSpec.parse(AddressText.trimmed(text)).toString().toLowerCase(Locale.ROOT);
            } catch (AddressSyntaxException wrong) {
                body.fault("email", String.valueOf(wrong.getMessage()), Fault.Code.INVALID_FORMAT, "an address");
            }
        }
        return "";
    }

    /** The attendee, with what is known of it and the request does not say. */
    public Attendee attendee(Optional<Attendee> before) {
        if (status != null || before.isEmpty()) {
            AttendeeStatus initialStatus = status == null ? AttendeeStatus.NEEDS_ACTION : status;
            return new Attendee(email, name, required, new Attendee.Answer(initialStatus, comment, respondedAt, null));
        }
        Attendee.Answer answer = before.get().answer();
        return new Attendee(
                email,
                name,
                required,
                new Attendee.Answer(
                        answer.status(),
                        comment == null ? answer.comment() : comment,
                        respondedAt == null ? answer.at() : respondedAt,
                        answer.mark()));
    }
}
