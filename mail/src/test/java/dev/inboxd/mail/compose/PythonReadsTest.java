package dev.inboxd.mail.compose;

import static dev.inboxd.mail.compose.Compositions.body;
import static dev.inboxd.mail.compose.Compositions.file;
import static dev.inboxd.mail.compose.Compositions.picture;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A parser that is not ours finds in the bytes what the composition says: Python's email package. */
class PythonReadsTest {
    @TempDir
    private Path folder = Path.of("set by JUnit");

    @Test
    void everyFieldAndEveryShapeOfBody() throws Exception {
        var mail = new Composition(
                new Composition.Addresses(
                        new Mailbox("Ägent, \"007\"", "agent@exämple.test"),
                        List.of(
                                new Mailbox("Smith, Jo", "jo@x.example"),
                                new Mailbox("王小明".repeat(12), "wang@x.example")),
                        List.of(new Mailbox("a  b", "\"odd one\"@x.example")),
                        List.of(Compositions.ANN)),
                new Composition.Identification(Compositions.ID, List.of("<p@x>"), List.of("<o@x>", "<p@x>")),
                "Grüße  aus 東京 😀 ".repeat(9) + ".",
                Compositions.DATE,
                List.of(
                        new CustomHeaderField("X-Long", "word ".repeat(50) + "end"),
                        new CustomHeaderField("X-A", " ö ")),
                new Composition.Body(
                        "text ä\n",
                        "<p>ä</p>\n",
                        List.of(
                                picture("<logo@x>"),
                                file("Ünïcode naïve résumé " + "long ".repeat(30) + ".pdf", "application/pdf", "%PDF"),
                                file("a;b\"c\\d e.txt", "text/plain; charset=utf-16", "le\nft\ralone"))));
        assertThat(read(List.of(mail))).containsExactly("""
                From ['\\'\\\\xc4gent, "007"\\' agent@xn--exmple-cua.test']
                To ["'Smith, Jo' jo@x.example", "%s wang@x.example"]
                Cc ['\\'a  b\\' "odd one"@x.example']
                Reply-To ["'' ann@example.org"]
                Subject %s
                Message-ID <0190a1b2-c3d4@inboxd.example>
                References ['<o@x>', '<p@x>']
                Date 2026-11-05T09:08:07+00:00
                X-Long '%s'
                X-A ' \\xf6 '
                multipart/mixed - - -
                  multipart/alternative - - -
                    text/plain - - - %s
                    multipart/related - - -
                      text/html - - - %s
                      image/png inline 'logo.png' <logo@x> %s
                  application/pdf attachment %s - %s
                  text/plain attachment 'a;b"c\\\\d e.txt' - %s
                """.formatted(
                        ascii("王小明".repeat(12)).replace("\\", "\\\\"),
                        ascii("Grüße  aus 東京 😀 ".repeat(9) + "."),
                        "word ".repeat(50) + "end",
                        sha256("text ä\r\n"),
                        sha256("<p>ä</p>\r\n"),
                        sha256(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10}),
                        ascii("Ünïcode naïve résumé " + "long ".repeat(30) + ".pdf"),
                        sha256("%PDF"),
                        sha256("le\nft\ralone")));
    }

    @Test
    void eachCombinationOfPartsHasItsTree() throws Exception {
        var trees = new LinkedHashMap<Composition, String>();
        trees.put(body(null, null), "text/plain");
        trees.put(body("t", null), "text/plain");
        trees.put(body(null, "h"), "text/html");
        trees.put(body("t", "h"), "multipart/alternative(text/plain text/html)");
        trees.put(
                body("t", "h", picture("l")),
                "multipart/alternative(text/plain multipart/related(text/html image/png))");
        trees.put(body(null, "h", picture("l")), "multipart/related(text/html image/png)");
        trees.put(body("t", null, picture("l")), "multipart/mixed(text/plain image/png)");
        trees.put(body("t", null, file("f", "a/b", "")), "multipart/mixed(text/plain a/b)");
        trees.put(body(null, null, file("f", "a/b", "")), "multipart/mixed(a/b)");
        trees.put(
                body(null, "h", picture("l"), file("f", "a/b", "x")),
                "multipart/mixed(multipart/related(text/html image/png) a/b)");
        assertTrees(trees);
    }

    @Test
    void anAttachedMessageStaysAMessageWhenItCan() throws Exception {
        var inner = Compositions.compose(body("inner", null));
        var trees = new LinkedHashMap<Composition, String>();
        trees.put(
                body("t", null, file("m.eml", "message/rfc822", inner)),
                "multipart/mixed(text/plain message/rfc822(text/plain))");
        trees.put(
                body("t", null, file("m.eml", "message/rfc822", inner + "ä")),
                "multipart/mixed(text/plain application/octet-stream)");
        trees.put(
                body("t", null, file("m.eml", "multipart/mixed; boundary=x", inner)),
                "multipart/mixed(text/plain application/octet-stream)");
        assertTrees(trees);
    }

    @Test
    void everyKindOfTextComesBackExactly() throws Exception {
        var texts = List.of(
                "short",
                "From me\r\n.\r\n..dots\r\n",
                "trailing space \r\ntab\t\r\n ",
                "=20 = == =\r\n",
                "\0\u0007\u007f",
                "x".repeat(5_000),
                ("é".repeat(60) + "\r\n").repeat(30),
                "日本語".repeat(400),
                "😀\r\n\r\n\r\n",
                "a\tb",
                "\r\n",
                " ".repeat(300),
                "x".repeat(75) + "\r\n" + "y".repeat(76) + " \r\n" + "é" + "z".repeat(77) + "\r\n");
        var trees = read(texts.stream().map(text -> body(text, text)).toList());
        for (int i = 0; i < texts.size(); i++) {
            var digest = sha256(texts.get(i));
            assertThat(trees.get(i)).contains("text/plain - - - " + digest + "\n", "text/html - - - " + digest + "\n");
        }
    }

    private void assertTrees(Map<Composition, String> expected) throws IOException, InterruptedException {
        var trees = read(List.copyOf(expected.keySet())).stream()
                .map(PythonReadsTest::tree)
                .toList();
        assertThat(trees).containsExactlyElementsOf(expected.values());
    }

    /** The indented lines of parts as nested brackets. */
    private static String tree(String shown) {
        var tree = new StringBuilder();
        int depth = 0;
        for (var line :
                shown.lines().dropWhile(l -> !l.startsWith("Date")).skip(1).toList()) {
            int indent = (line.length() - line.stripLeading().length()) / 2;
            tree.append(indent > depth ? "(" : ")".repeat(depth - indent) + (tree.isEmpty() ? "" : " "));
            tree.append(line.strip().split(" ", -1)[0]);
            depth = indent;
        }
        return tree + ")".repeat(depth);
    }

    /** What Python says of each message. */
    private List<String> read(List<Composition> mails) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("python3", "mail/src/test/resources/compose/tree.py"));
        for (var mail : mails) {
            var file = folder.resolve(command.size() + ".eml");
            Files.write(file, Composer.compose(mail).bytes());
            command.add(file.toString());
        }
        var python = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(python.waitFor()).as(output).isZero();
        return List.of(output.split("----\n", -1)).subList(0, mails.size());
    }

    /** The text as Python's ascii() writes it, for text without quotes and backslashes. */
    private static String ascii(String text) {
        var out = new StringBuilder("'");
        text.codePoints()
                .forEach(c -> out.append(
                        c < 0x80
                                ? Character.toString(c)
                                : c < 0x100
                                        ? String.format("\\x%02x", c)
                                        : c < 0x10000 ? String.format("\\u%04x", c) : String.format("\\U%08x", c)));
        return out.append("'").toString();
    }

    private static String sha256(String text) throws NoSuchAlgorithmException {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String sha256(byte[] octets) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    }
}
