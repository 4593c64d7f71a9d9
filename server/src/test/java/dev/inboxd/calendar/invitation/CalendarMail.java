package dev.inboxd.calendar.invitation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A mail with a calendar, as tests read it.
 *
 * @param method of the content type
 * @param calendar the calendar among the texts
 * @param attachment the attached calendar
 */
record CalendarMail(ParsedMessage message, String text, String method, String calendar, String attachment) {
    static CalendarMail read(byte[] raw) {
        ParsedMessage message = MessageParser.parse(new ByteArrayInputStream(raw));
        List<AttachmentPart> parts = message.body().attachments();
        assertThat(parts).extracting(AttachmentPart::mediaType).containsExactly("text/calendar", "application/ics");
        assertThat(parts.getLast().filename()).isEqualTo("invite.ics");
        String type = Objects.requireNonNull(PartReader.mediaTypes(new ByteArrayInputStream(raw))
                .get(parts.getFirst().index()));
        return new CalendarMail(
                message,
                Objects.requireNonNull(message.body().text()),
                type.replaceAll(".*method=\"([A-Z]+)\".*", "$1"),
                content(raw, parts.getFirst().index()),
                content(raw, parts.getLast().index()));
    }

    /** The properties of the calendar, each in one line. */
    String unfolded() {
        return calendar.replace("\r\n ", "");
    }

    private static String content(byte[] raw, int index) {
        try (InputStream in = PartReader.open(new ByteArrayInputStream(raw), index)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
