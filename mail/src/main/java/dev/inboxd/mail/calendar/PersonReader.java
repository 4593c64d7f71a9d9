package dev.inboxd.mail.calendar;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The organizer and the attendees (RFC 5545 §3.8.4). Who sent it in the name of another is not read. */
final class PersonReader {
    private static final int MAX_ATTENDEES = 1_000;
    private static final int MAX_NAME = 256;
    private static final int MAX_ADDRESS = 1_000;
    private static final String SCHEME = "mailto:";

    private PersonReader() {}

    /** Each address once, as it comes first. */
    static List<EventComponent.Guest> attendees(Component event) throws CalendarSyntaxException {
        List<ContentLine> lines = event.all("ATTENDEE");
        CalendarSyntaxException.checkSize(lines.size() <= MAX_ATTENDEES, "An event has too many attendees");
        Map<String, EventComponent.Guest> guests = new LinkedHashMap<>();
        for (ContentLine line : lines) {
            EventComponent.Person person = person(line);
            if (person != null) {
                guests.putIfAbsent(person.email(), new EventComponent.Guest(person, role(line), status(line)));
            }
        }
        return List.copyOf(guests.values());
    }

    private static String role(ContentLine line) {
        return switch (line.word("ROLE")) {
            case "OPT-PARTICIPANT", "NON-PARTICIPANT" -> "OPT-PARTICIPANT";
            default -> "REQ-PARTICIPANT";
        };
    }

    private static String status(ContentLine line) {
        String status = line.word("PARTSTAT");
        return switch (status) {
            case "ACCEPTED", "DECLINED", "TENTATIVE" -> status;
            default -> "NEEDS-ACTION";
        };
    }

    /** Who a property names, or null when it has no address. */
    static EventComponent.@Nullable Person person(ContentLine line) {
        String email = email(line.value().strip());
        if (email == null) {
            // RFC 7986 §6.2: where the value is no address of mail.
            email = email(line.parameters().getOrDefault("EMAIL", "").strip());
        }
        return email == null ? null : new EventComponent.Person(email, name(line.parameter("CN")));
    }

    /** The address that stands beside the one of a relay (RFC 7986 §6.2), or null. */
    static @Nullable String address(ContentLine line) {
        return email(line.parameters().getOrDefault("EMAIL", "").strip());
    }

    private static @Nullable String name(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String name = TextValue.characters(TextValue.clean(text).strip(), MAX_NAME);
        return name.isEmpty() ? null : name;
    }

    /** The address of a URI (RFC 6068 §2), or of what programs write instead; null when it is none. */
    private static @Nullable String email(String value) {
        boolean isUri = value.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        boolean isOther = !isUri && (value.indexOf(':') >= 0 || value.indexOf('/') >= 0);
        if (isOther || value.length() > MAX_ADDRESS) {
            return null;
        }
        String text = value;
        if (isUri) {
            int query = value.indexOf('?');
            text = decoded(value.substring(SCHEME.length(), query < 0 ? value.length() : query)
                    .strip());
        }
        if (text.startsWith("<") && text.endsWith(">")) {
            text = text.substring(1, text.length() - 1);
        }
        try {
            return AddrSpec.parse(text).toString().toLowerCase(Locale.ROOT);
        } catch (AddressSyntaxException none) {
            return null;
        }
    }

    private static String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); ) {
            int high = i + 2 < text.length() && text.charAt(i) == '%' ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
            if (low >= 0) {
                octets.write(high * 16 + low);
                i += 3;
            } else {
                int point = text.codePointAt(i);
                octets.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(point);
            }
        }
        return octets.toString(StandardCharsets.UTF_8);
    }
}
