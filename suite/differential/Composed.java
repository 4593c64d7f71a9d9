import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.OutgoingAttachment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.ObjectMapper;

/** Composes mail of every shape into a folder: NN.eml, and NN.json with what it is made of. */
final class Composed {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant DATE = Instant.parse("2026-11-05T09:08:07Z");
    private static final List<String> SUBJECTS = List.of(
            "Hello",
            "Grüße aus Köln",
            "東京 😀 ".repeat(20) + ".",
            "word ".repeat(60) + "end",
            "=?utf-8?q?not_encoded?=",
            "x".repeat(300),
            "ü".repeat(200),
            "tab and: colon; semi, \"quote\" (comment) <angle>");
    private static final List<String> NAMES = List.of(
            "Ann",
            "Doe, Jo",
            "Jörg \"J\" Groß",
            "王小明".repeat(9),
            "a@b",
            "O'Neil (x)",
            "=?x?=",
            "Ann ".repeat(30) + "Lee");
    private static final List<String> TEXTS = List.of(
            "Hello\n",
            "no end of line",
            "ü ".repeat(900) + "\n",
            "x".repeat(5000) + "\n",
            "\n\n.\n..\nFrom me\n--\n",
            "trailing space \nand tab\t\n",
            "=3D = ==\n",
            "東京\n😀\n",
            "a\r\nb\nc\n");
    private static final List<String> FILES = List.of(
            "a.txt",
            "two words.pdf",
            "naïve résumé.pdf",
            "東京".repeat(30) + ".docx",
            "it's; \"quoted\" \\ name.txt",
            "x".repeat(200) + ".bin",
            "100%.txt",
            "a'b*c.txt",
            "no-extension");
    private static final List<String> TYPES = List.of(
            "text/plain",
            "application/pdf",
            "text/csv; charset=utf-8",
            "image/png",
            "application/octet-stream",
            "text/html");

    private Composed() {}

    /** Arguments: the folder. */
    public static void main(String[] arguments) throws IOException, NoSuchAlgorithmException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        for (int i = 0; i < 120; i++) {
            write(folder, i);
        }
    }

    private static void write(Path folder, int i) throws IOException, NoSuchAlgorithmException {
        String text = i % 8 == 3 ? null : pick(TEXTS, i);
        String html = i % 4 == 0
                ? null
                : "<p>" + pick(TEXTS, i / 2) + "</p>" + (i % 3 == 0 ? "<img src=\"cid:logo@x\">" : "");
        List<OutgoingAttachment> files = new ArrayList<>();
        List<List<String>> expected = new ArrayList<>();
        if (html != null && i % 3 == 0) {
            add(
                    files,
                    expected,
                    "logo.png",
                    "image/png",
                    new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 0, (byte) i},
                    "<logo@x>");
        }
        for (int f = 0; f < i % 5 - 1; f++) {
            byte[] octets = (pick(TEXTS, i + f) + f).getBytes(StandardCharsets.UTF_8);
            add(files, expected, pick(FILES, i + 2 * f), pick(TYPES, i + f), octets, null);
        }
        Mailbox author = new Mailbox(pick(NAMES, i), "agent@inboxd.example");
        List<Mailbox> to = new ArrayList<>();
        for (int t = 0; t <= i % 6; t++) {
            to.add(new Mailbox(t % 2 == 0 ? pick(NAMES, i + t) : null, "user" + t + "@example.org"));
        }
        String subject = pick(SUBJECTS, i);
        Composition composition = new Composition(
                new Composition.Addresses(author, to, List.of(), List.of()),
                new Composition.Identification("<m" + i + "@inboxd.example>", List.of(), references(i % 60)),
                subject,
                DATE,
                List.of(new CustomHeaderField("X-Long", "word ".repeat(i) + "end")),
                new Composition.Body(text, html, files));
        Path eml = folder.resolve("%03d.eml".formatted(i));
        Files.write(eml, Composer.compose(composition).bytes());
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("subject", subject);
        made.put("from", people(List.of(author)));
        made.put("to", people(to));
        made.put("text", text);
        made.put("html", html);
        made.put("files", expected);
        Files.write(folder.resolve("%03d.json".formatted(i)), JSON.writeValueAsBytes(made));
    }

    private static void add(
            List<OutgoingAttachment> files,
            List<List<String>> expected,
            String name,
            String type,
            byte[] octets,
            String id)
            throws NoSuchAlgorithmException {
        files.add(new OutgoingAttachment(name, type, id != null, id, AttachmentContent.of(octets)));
        int end = type.indexOf(';');
        expected.add(List.of(
                name,
                end < 0 ? type : type.substring(0, end),
                octets.length + " "
                        + HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256").digest(octets), 0, 8)));
    }

    private static List<List<String>> people(List<Mailbox> mailboxes) {
        return mailboxes.stream()
                .map(each -> List.of(each.name() == null ? "" : each.name(), each.address()))
                .toList();
    }

    private static List<String> references(int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add("<reference-" + i + "@example.org>");
        }
        return ids;
    }

    private static String pick(List<String> list, int i) {
        return list.get(Math.floorMod(i, list.size()));
    }
}
