package dev.inboxd.screening;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.mail.screen.ScreenAttachment;
import dev.inboxd.mail.screen.ScreenInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the screen reads of a received message: the beginning of each text, and a few text attachments. */
final class ScreenSource {
    /** Characters of each text; the screen itself reads no more. */
    private static final int MOST_TEXT = 256 * 1024;

    private static final int MOST_ATTACHMENT = 64 * 1024;
    private static final int MOST_ATTACHMENTS = 10;
    private static final Set<String> TEXT_TYPES =
            Set.of("application/json", "application/ics", "application/xml", "application/yaml", "application/x-yaml");
    private static final Set<String> TEXT_EXTENSIONS =
            Set.of("txt", "md", "csv", "json", "html", "htm", "xml", "ics", "log", "yaml", "yml", "eml", "rtf");

    private ScreenSource() {}

    /**
     * The texts of a message.
     *
     * @throws IOException when its octets cannot be read
     */
    static ScreenInput of(ParsedMessage message, MessageScreen.Octets octets) throws IOException {
        List<MailAddress> from = message.addresses().from();
        return new ScreenInput(
                beginning(message.subject()),
                from.isEmpty() ? null : from.getFirst().name(),
                beginning(message.body().text()),
                beginning(message.body().html()),
                attachments(message.body().attachments(), octets));
    }

    private static List<ScreenAttachment> attachments(List<AttachmentPart> parts, MessageScreen.Octets octets) throws IOException {
        Map<Integer, AttachmentPart> texts = new LinkedHashMap<>();
        parts.stream().filter(ScreenSource::isText).limit(MOST_ATTACHMENTS).forEach(part ->
                texts.put(part.index(), part));
        if (texts.isEmpty()) {
            return List.of();
        }
        try (InputStream in = octets.open()) {
            List<ScreenAttachment> attachments = new ArrayList<>();
            PartReader.beginnings(in, texts.keySet(), MOST_ATTACHMENT).forEach((index, start) -> {
                AttachmentPart part = Objects.requireNonNull(texts.get(index));
                String name = Objects.requireNonNullElse(part.filename(), "");
                attachments.add(new ScreenAttachment(name, part.mediaType(), decoded(start)));
            });
            return attachments;
        }
    }

    /** Texts, calendars among them, whatever type their sender gave them. */
    private static boolean isText(AttachmentPart part) {
        String type = part.mediaType();
        String name = Objects.requireNonNullElse(part.filename(), "").toLowerCase(Locale.ROOT);
        return type.startsWith("text/")
                || TEXT_TYPES.contains(type)
                || type.endsWith("+xml")
                || TEXT_EXTENSIONS.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    /** By the byte order mark, else as UTF-8: what is malformed in it must not hide what is not. */
    private static String decoded(byte[] octets) {
        int mark = octets.length < 2 ? 0 : (octets[0] & 0xFF) << Byte.SIZE | octets[1] & 0xFF;
        return switch (mark) {
            case 0xFEFF -> new String(octets, 2, octets.length - 2, StandardCharsets.UTF_16BE);
            case 0xFFFE -> new String(octets, 2, octets.length - 2, StandardCharsets.UTF_16LE);
            default -> new String(octets, StandardCharsets.UTF_8);
        };
    }

    private static @Nullable String beginning(@Nullable String text) {
        return text == null || text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
    }
}
