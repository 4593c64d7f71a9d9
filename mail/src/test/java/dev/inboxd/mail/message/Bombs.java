package dev.inboxd.mail.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Messages made to exhaust whoever reads them; every line ends in CR LF, and none begins with a dot. */
public final class Bombs {
    /** The largest message that is taken, less the fields that somebody may put above. */
    static final int LARGE = 40 * 1024 * 1024 - 64 * 1024;

    private static final String HTML = "Content-Type: text/html\r\n\r\n";

    private Bombs() {}

    /** All of them by name, made when they are asked for: the largest fill half of a small heap. */
    public static Map<String, Supplier<byte[]>> all() {
        Map<String, Supplier<byte[]>> all = new LinkedHashMap<>();
        all.put("3,000 nested multiparts", () -> octets("Subject: bomb\r\n" + nested(3_000) + "\r\ndeep\r\n"));
        all.put("6,000 nested messages", () -> octets(nestedMessages()));
        all.put("1,000,000 empty parts", () -> octets(emptyParts()));
        all.put("200,000 encoded words", () -> octets(encodedWords()));
        all.put("40,000 nested divs", () -> octets(HTML + "<div>".repeat(40_000) + "deep\r\n"));
        all.put("280,000 HTML nodes", () -> octets(HTML + "<p>a<b>".repeat(140_000) + "\r\n"));
        all.put("a megabyte of Content-IDs", () -> octets(contentIds("cid:%63".repeat(140_000))));
        all.put("10,000 header fields", () -> octets(headers(10_000)));
        all.put("a header field of 40 MB", Bombs::hugeField);
        all.put("24,000 addresses", () -> octets("To: " + "a@b,".repeat(24_000) + "\r\n\r\n"));
        for (String special : List.of("<", "(", "\"", "@[", "=?a?q?", ";a*0=")) {
            all.put(
                    "90,000 octets of " + special,
                    () -> octets(
                            "From: " + special.repeat(90_000 / special.length()) + "\r\nContent-Type: text/plain; name="
                                    + special.repeat(90_000 / special.length()) + "\r\n\r\n"));
        }
        all.put("40 MB a hundred levels deep", () -> repeated(deep("8bit"), "--a\r\n", ""));
        all.put(
                "40 MB of base64 a hundred levels deep",
                () -> repeated(deep("base64"), "A".repeat(76) + "\r\n", "\r\n"));
        all.put("40 MB of broken base64 a hundred levels deep", () -> repeated(deep("base64"), "AA=", "\r\n"));
        all.put(
                "40 MB of quoted-printable a hundred levels deep",
                () -> repeated(deep("quoted-printable"), "=41 ", "\r\n"));
        all.put("40 MB of blanks a hundred levels deep", () -> repeated(deep("quoted-printable"), " ", "\r\n"));
        all.put("40 MB of text", Bombs::text);
        all.put("40 MB of HTML", () -> repeated(HTML, "<p>a<b>", "\r\n"));
        all.put("a thousand parts without a charset", Bombs::withoutCharsets);
        return all;
    }

    static String nested(int depth) {
        var head = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            head.append("Content-Type: multipart/mixed; boundary=b").append(i).append("\r\n\r\n");
            head.append("--b").append(i).append("\r\n");
        }
        return head.toString();
    }

    static String nestedMessages() {
        return "Subject: bomb\r\n" + "Content-Type: message/rfc822\r\n\r\n".repeat(6_000);
    }

    static String emptyParts() {
        var head = "Subject: bomb\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
        return head + "--b\r\n\r\n".repeat(1_000_000);
    }

    static String encodedWords() {
        return "From: a@example.com\r\nSubject:" + " =?utf-8?q?a?=\r\n".repeat(200_000) + "\r\nbody\r\n";
    }

    static String contentIds(String html) {
        return "Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n" + html
                + "\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <a>\r\n\r\nx\r\n--b--\r\n";
    }

    static String headers(int count) {
        return "From: a@example.com\r\n" + "X: y\r\n".repeat(count) + "\r\nbody\r\n";
    }

    static byte[] hugeField() {
        return repeated("From: a@example.com\r\nX: ", "x", "\r\nSubject: late\r\n\r\nbody\r\n");
    }

    static byte[] text() {
        return repeated("Content-Type: text/plain; charset=utf-8\r\n\r\nx", "\u20AC", "\r\n");
    }

    static String deep(String encoding) {
        return nested(EntityWalk.MAX_DEPTH) + "Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: "
                + encoding + "\r\n\r\n";
    }

    static byte[] withoutCharsets() {
        var part = "--b\r\n\r\n" + "\u043f\u0440\u0438\u0432\u0435\u0442 ".repeat(400) + "\r\n";
        return ("Content-Type: multipart/mixed; boundary=b\r\n\r\n" + part.repeat(999))
                .getBytes(Charset.forName("windows-1251"));
    }

    static byte[] octets(String message) {
        return message.getBytes(StandardCharsets.UTF_8);
    }

    /** The piece until the message is large. */
    static byte[] repeated(String head, String piece, String tail) {
        var octets = octets(piece);
        var bomb = new ByteArrayOutputStream(LARGE + 16 * 1024);
        bomb.writeBytes(octets(head));
        var block = new byte[octets.length * Math.max(1, 8192 / octets.length)];
        for (int i = 0; i < block.length; i++) {
            block[i] = octets[i % octets.length];
        }
        while (bomb.size() < LARGE) {
            bomb.writeBytes(block);
        }
        bomb.writeBytes(octets(tail));
        return bomb.toByteArray();
    }
}
