package dev.inboxd.calendar.content;

import dev.inboxd.mail.address.AddrSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attendees of an event.
 *
 * @param list the attendees; empty where only their number was read
 * @param count how many there are
 * @param own what the inbox itself answered; null when it is not among them
 */
public record Guests(
        List<Attendee> list, int count, @Nullable AttendeeStatus own) {
    /** Nobody. */
    public static final Guests NONE = new Guests(List.of(), 0, null);

    public Guests {
        list = List.copyOf(list);
    }

    /** These attendees, of an event of the inbox with that address. */
    public static Guests of(List<Attendee> list, String inbox) {
        return new Guests(
                list,
                list.size(),
                own(list, inbox).map(own -> own.answer().status()).orElse(null));
    }

    /** Whether an address is that of an inbox, with or without a tag (ruling 154). */
    public static boolean isOwn(String email, String inbox) {
        return email.equalsIgnoreCase(inbox) || AddrSpec.areOfOnePerson(email, inbox);
    }

    /** The inbox itself among them: by its address, else by one with a tag. */
    public Optional<Attendee> own(String inbox) {
        return own(list, inbox);
    }

    private static Optional<Attendee> own(List<Attendee> list, String inbox) {
        return find(list, inbox)
                .or(() -> list.stream()
                        .filter(attendee -> isOwn(attendee.email(), inbox))
                        .findFirst());
    }

    /** The attendee of an address. */
    public Optional<Attendee> find(String email) {
        return find(list, email);
    }

    private static Optional<Attendee> find(List<Attendee> list, String email) {
        return list.stream().filter(attendee -> attendee.email().equals(email)).findFirst();
    }

    /** The same with another answer of one of them. */
    public Guests with(Attendee changed, String inbox) {
        return of(
                list.stream()
                        .map(attendee -> attendee.email().equals(changed.email()) ? changed : attendee)
                        .toList(),
                inbox);
    }

    static Guests stored(Map<?, ?> row) {
        AttendeeStatus own = row.get("response_status") instanceof String word ? AttendeeStatus.ofWire(word) : null;
        if (row.get("attendees") instanceof List<?> stored) {
            List<Attendee> list = new ArrayList<>(stored.size());
            stored.forEach(entry -> list.add(Attendee.stored((Map<?, ?>) entry)));
            return new Guests(list, list.size(), own);
        }
        return row.get("attendee_count") instanceof Long count
                ? new Guests(List.of(), Math.toIntExact(count), own)
                : NONE;
    }
}
