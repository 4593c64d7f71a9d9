package dev.inboxd.screening;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartStarts;
import dev.inboxd.mail.screen.NameWords;
import dev.inboxd.mail.screen.ScreenInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the screen reads of a received message: all that an answer, an event or a tool shows of it (ruling 165), and the
 * beginnings of the parts that are text.
 */
public final class ScreenSource {
    /** Characters of each text; the screen itself reads no more. */
    private static final int MOST_TEXT = 256 * 1024;
    /** Characters of the values of all header fields; of a longer header answers show none. */
    private static final int MOST_FIELDS = 64 * 1024;
    /** Fields that servers write: of them words are read, and no ids, addresses, times and signatures. */
    private static final Set<String> TRACE = Set.of(
            "received",
            "x-received",
            "return-path",
            "delivered-to",
            "message-id",
            "in-reply-to",
            "references",
            "date",
            "mime-version",
            "content-type",
            "content-transfer-encoding",
            "dkim-signature",
            "authentication-results",
            "arc-seal",
            "arc-message-signature",
            "arc-authentication-results",
            "received-spf");

    /** Words of the name of a field from which it may say something. */
    private static final int FEWEST_WORDS = 4;

    private static final int MOST_WORDS_OF_AN_ADDRESS = 12;
    /** Letters and digits without a gap from which a value may be encoded. */
    private static final int ENCODED = 24;

    private ScreenSource() {}

    /**
     * The texts of a message.
     *
     * @throws IOException when its octets cannot be read
     */
    public static ScreenInput of(ParsedMessage message, MessageScreen.Octets octets) throws IOException {
        List<MailAddress> from = message.addresses().from();
        PartTexts attachments = new PartTexts();
        Map<Integer, Integer> read = AttachmentShares.of(message.body().attachments());
        if (!read.isEmpty()) {
            try (InputStream in = octets.open()) {
                PartStarts.read(in, read, attachments);
            }
        }
        return new ScreenInput(
                beginning(message.subject()),
                from.isEmpty() ? null : from.getFirst().name(),
                beginning(message.body().text()),
                beginning(message.body().html()),
                attachments.texts(),
                names(message, attachments.filenames()),
                fields(message.headers()));
    }

    /** The names of all people but the first author, and of all files, each once. */
    private static List<String> names(ParsedMessage message, List<String> within) {
        Stream<@Nullable String> people = Stream.of(
                        message.addresses().from().stream().skip(1),
                        message.addresses().to().stream(),
                        message.addresses().cc().stream(),
                        message.addresses().bcc().stream(),
                        message.addresses().replyTo().stream())
                .flatMap(stream -> stream)
                .map(MailAddress::name);
        Stream<@Nullable String> files = message.body().attachments().stream().map(AttachmentPart::filename);
        return Stream.of(people, files, within.stream())
                .flatMap(stream -> stream)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .filter(name -> !name.isBlank())
                .distinct()
                .toList();
    }

    /** The values of fields, without what belongs to their notation, and the names that say something. */
    static String fields(List<HeaderField> headers) {
        StringBuilder fields = new StringBuilder();
        Set<String> names = new LinkedHashSet<>();
        for (HeaderField field : headers) {
            if (fields.length() < MOST_FIELDS) {
                append(field, fields);
            }
            names.add(field.name());
        }
        List<String> said = new ArrayList<>();
        for (String name : names) {
            String words = NameWords.of(name.replace('-', ' '));
            if (words.chars().filter(c -> c == ' ').count() >= FEWEST_WORDS - 1) {
                said.add(words);
            }
        }
        return fields + String.join("\n\n", said);
    }

    private static void append(HeaderField field, StringBuilder fields) {
        boolean trace = TRACE.contains(field.name().toLowerCase(Locale.ROOT));
        String value = field.value().replace("\"", "").replace("\\", "");
        String start = value.substring(0, Math.min(value.length(), MOST_FIELDS));
        if (!trace && says(start)) {
            fields.append(start).append("\n\n");
        }
        if (trace || start.indexOf(' ') < 0) {
            String words = words(start);
            if (!words.isEmpty()) {
                fields.append(words).append("\n\n");
            }
        }
    }

    /**
     * The words of a value, also of words that are joined by other signs than spaces or by capitals. Ids, addresses,
     * times and signatures leave little of themselves, and part no words that stand around them.
     */
    private static String words(String value) {
        String plain = value.indexOf('%') < 0 ? value : NameWords.of(value);
        JoinedWords words = new JoinedWords(plain);
        int start = 0;
        for (int i = 0; i <= plain.length(); i++) {
            if (i == plain.length() || plain.charAt(i) == ' ') {
                words.add(start, i);
                start = i + 1;
            }
        }
        return words.count() >= FEWEST_WORDS ? words.text() : "";
    }

    /** Whether a value has as many words as an order, letters of other scripts, or something encoded. */
    private static boolean says(String value) {
        int words = 0;
        int letters = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= 0x250) {
                return true;
            }
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0xC0;
            letters = letter || (c >= '0' && c <= '9') ? letters + 1 : 0;
            words += letters == 2 ? 1 : 0;
            if (letters >= ENCODED) {
                return true;
            }
        }
        return words > MOST_WORDS_OF_AN_ADDRESS || (words >= FEWEST_WORDS && value.indexOf(' ') >= 0);
    }

    private static @Nullable String beginning(@Nullable String text) {
        return text == null || text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
    }
}
