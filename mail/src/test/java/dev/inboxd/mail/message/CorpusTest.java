package dev.inboxd.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Every message of the corpus against its expectation, which was written by hand, or, in the folders that
 * {@code suite/differential/corpus.py} makes, is what was put in. {@code text}, {@code html}, {@code attachments} and
 * {@code defects} are always compared (absent means none), the other members when they are given.
 */
class CorpusTest {
    private static final Path CORPUS = Path.of("mail/src/test/resources/corpus");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TestFactory
    @Proves({"A16", "A38"})
    Stream<DynamicTest> everyMessageIsReadAsExpected() throws IOException {
        return messages().stream()
                .map(eml -> DynamicTest.dynamicTest(CORPUS.relativize(eml).toString(), () -> check(eml)));
    }

    @TestFactory
    @Proves({"P14", "A16"})
    Stream<DynamicTest> theResultDoesNotDependOnHowTheBytesArrive() throws IOException {
        return messages().stream()
                .map(eml -> DynamicTest.dynamicTest(CORPUS.relativize(eml).toString(), () -> {
                    var raw = Files.readAllBytes(eml);
                    var whole = MessageParser.parse(new ByteArrayInputStream(raw));
                    for (int chunk : new int[] {1, 2, 3, 7, 64}) {
                        assertThat(MessageParser.parse(new Trickle(raw, chunk))).isEqualTo(whole);
                    }
                }));
    }

    @Test
    void theCorpusHasAtLeastFourHundredMessagesEachWithItsNote() throws IOException {
        assertThat(messages()).hasSizeGreaterThanOrEqualTo(400).allSatisfy(eml -> {
            boolean isNoted = Files.exists(sibling(eml, ".md"))
                    || !JSON.readTree(Files.readString(sibling(eml, ".json")))
                            .path("note")
                            .asString()
                            .isEmpty();
            assertThat(isNoted).isTrue();
        });
    }

    private static void check(Path eml) throws IOException {
        var expected = JSON.readTree(Files.readString(sibling(eml, ".json")));
        var raw = Files.readAllBytes(eml);
        var message = MessageParser.parse(new ByteArrayInputStream(raw));
        var actual = new TreeMap<String, JsonNode>();
        var wanted = new TreeMap<String, JsonNode>();
        for (var name : List.of("text", "html", "attachments", "defects")) {
            wanted.put(name, expected.has(name) ? expected.get(name) : JSON.nullNode());
            actual.put(name, member(message, name));
        }
        expected.propertyNames().stream()
                .filter(name -> !name.equals("contents") && !name.equals("note"))
                .forEach(name -> {
                    wanted.put(name, expected.get(name));
                    actual.put(
                            name,
                            name.equals("headers") ? headers(message, expected.get(name)) : member(message, name));
                });
        assertThat(actual).isEqualTo(wanted);
        checkContents(expected, message, raw);
    }

    /** Each attachment read again gives as many octets as promised, and the content the expectation names. */
    private static void checkContents(JsonNode expected, ParsedMessage message, byte[] raw) throws IOException {
        var contents = expected.has("contents") ? expected.get("contents") : JSON.createObjectNode();
        for (var part : message.body().attachments()) {
            try (var opened = PartReader.open(new ByteArrayInputStream(raw), part.index())) {
                var octets = opened.readAllBytes();
                assertThat((long) octets.length).isEqualTo(part.size());
                var wanted = contents.get(String.valueOf(part.index()));
                if (wanted != null) {
                    var content = new String(octets, StandardCharsets.ISO_8859_1);
                    assertThat(content).isEqualTo(contentOf(wanted.stringValue()));
                }
            }
        }
    }

    private static String contentOf(String wanted) {
        return wanted.startsWith("base64:")
                ? new String(Base64.getDecoder().decode(wanted.substring(7)), StandardCharsets.ISO_8859_1)
                : wanted;
    }

    private static JsonNode member(ParsedMessage message, String name) {
        var addresses = message.addresses();
        var ids = message.identification();
        return JSON.readTree(JSON.writeValueAsString(
                switch (name) {
                    case "subject" -> message.subject();
                    case "date" ->
                        message.date() == null ? null : message.date().toString();
                    case "from" -> strings(addresses.from());
                    case "to" -> strings(addresses.to());
                    case "cc" -> strings(addresses.cc());
                    case "bcc" -> strings(addresses.bcc());
                    case "replyTo" -> strings(addresses.replyTo());
                    case "messageId" -> ids.messageId();
                    case "inReplyTo" -> ids.inReplyTo();
                    case "references" -> ids.references();
                    case "text" -> message.body().text();
                    case "html" -> message.body().html();
                    case "attachments" ->
                        nullIfEmpty(message.body().attachments().stream()
                                .map(CorpusTest::part)
                                .toList());
                    case "defects" ->
                        nullIfEmpty(
                                message.defects().stream().map(Defect::toString).toList());
                    default -> throw new IllegalArgumentException(name);
                }));
    }

    private static JsonNode headers(ParsedMessage message, JsonNode wanted) {
        var all = message.headerMap();
        var selected = JSON.createObjectNode();
        wanted.propertyNames().forEach(name -> selected.put(name, all == null ? null : all.get(name)));
        return selected;
    }

    private static Map<String, Object> part(AttachmentPart part) {
        var members = new TreeMap<String, Object>();
        members.put("index", part.index());
        members.put("mediaType", part.mediaType());
        members.put("size", part.size());
        if (part.filename() != null) {
            members.put("filename", part.filename());
        }
        if (part.contentId() != null) {
            members.put("contentId", part.contentId());
        }
        if (part.inline()) {
            members.put("inline", true);
        }
        return members;
    }

    private static List<String> strings(List<MailAddress> addresses) {
        return addresses.stream().map(MailAddress::toString).toList();
    }

    private static <T> @Nullable List<T> nullIfEmpty(List<T> list) {
        return list.isEmpty() ? null : list;
    }

    private static List<Path> messages() throws IOException {
        try (var files = Files.walk(CORPUS)) {
            return new ArrayList<>(files.filter(file -> file.toString().endsWith(".eml"))
                    .sorted()
                    .toList());
        }
    }

    private static Path sibling(Path eml, String extension) {
        return eml.resolveSibling(nameOf(eml) + extension);
    }

    private static String nameOf(Path eml) {
        return eml.toFile().getName().replace(".eml", "");
    }

    /** A stream that gives a few octets at a time, as a network does. */
    private static final class Trickle extends InputStream {
        private final byte[] raw;
        private final int chunk;
        private int pos;

        Trickle(byte[] raw, int chunk) {
            this.raw = Arrays.copyOf(raw, raw.length);
            this.chunk = chunk;
        }

        @Override
        public int read() {
            return pos < raw.length ? raw[pos++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (pos == raw.length) {
                return -1;
            }
            int count = Math.min(Math.min(length, chunk), raw.length - pos);
            System.arraycopy(raw, pos, target, offset, count);
            pos += count;
            return count;
        }
    }
}
