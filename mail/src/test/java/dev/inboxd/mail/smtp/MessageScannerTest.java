package dev.inboxd.mail.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageScannerTest {
    private static final String MAIL = "Subject: x\r\nReceived: old\r\n\r\nReceived: text\r\n";
    private static final String TRACE =
            "Return-Path: <a@b>\r\nreceived : from x\r\n\tby y;\r\n  today\r\nARC-Seal: i=1\r\n";

    @Test
    void leadingTraceFieldsAreNotDigested() throws NoSuchAlgorithmException {
        assertThat(scan(TRACE + MAIL, 0)).isEqualTo(sha256(MAIL) + " 2");
    }

    @Test
    void traceFieldsFurtherDownAreDigested() throws NoSuchAlgorithmException {
        assertThat(scan(MAIL, 0)).isEqualTo(sha256(MAIL) + " 1");
    }

    @Test
    void aFoldedLineWithoutAFieldIsNoTraceField() throws NoSuchAlgorithmException {
        assertThat(scan(" hidden\r\n" + TRACE + MAIL, 0)).startsWith(sha256(" hidden\r\n" + TRACE + MAIL));
    }

    @Test
    void mailsThatDifferDigestDifferently() throws NoSuchAlgorithmException {
        assertThat(scan(TRACE + MAIL + ".", 0)).isNotEqualTo(scan(TRACE + MAIL, 0));
        assertThat(scan(TRACE + "X" + MAIL, 0)).isNotEqualTo(scan(TRACE + MAIL, 0));
    }

    @Test
    void splittingChangesNothing() throws NoSuchAlgorithmException {
        List<String> samples = List.of(
                TRACE + MAIL,
                TRACE,
                MAIL,
                "",
                "\r\nbody",
                TRACE + "\r\nbody",
                ": no name\r\n",
                " folded\r\nReceived: x\r\n\r\n",
                "no colon at all\r\nReceived: x\r\n",
                "A-Name-That-Is-Longer-Than-Any-Trace-Field-Can-Be: x\r\n\r\n");
        for (String sample : samples) {
            for (int at = 0; at <= sample.length(); at++) {
                assertThat(scan(sample, at)).as("%s at %d", sample, at).isEqualTo(scan(sample, 0));
            }
        }
    }

    private static String scan(String mail, int splitAt) throws NoSuchAlgorithmException {
        byte[] octets = mail.getBytes(ISO_8859_1);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        MessageScanner scanner = new MessageScanner(digest);
        scanner.scan(octets, 0, splitAt);
        scanner.scan(octets, splitAt, octets.length);
        return HexFormat.of().formatHex(digest.digest()) + " " + scanner.received();
    }

    private static String sha256(String text) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(ISO_8859_1)));
    }
}
