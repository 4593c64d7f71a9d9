package dev.inboxd.mailbox.attachment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file is called when nobody says, and when somebody lies. */
class MediaTypesTest {
    private static final byte[] PDF = bytes("%PDF-1.7\n%\u00E2\u00E3\u00CF\u00D3\n");
    private static final byte[] PNG = HexFormat.of().parseHex("89504e470d0a1a0a0000000d49484452");
    private static final byte[] ZIP = HexFormat.of().parseHex("504b0304140000000800");
    private static final byte[] EXE = Arrays.copyOf(HexFormat.of().parseHex("4d5a90000300000004000000ffff0000"), 128);

    @Test
    void theFirstBytesDecideWhenTheSenderSaysNothing() {
        assertThat(MediaTypes.received("application/octet-stream", null, PDF)).isEqualTo("application/pdf");
        assertThat(MediaTypes.received("application/octet-stream", "a.txt", PNG))
                .isEqualTo("image/png");
        assertThat(MediaTypes.received("binary/octet-stream", "a.docx", ZIP))
                .isEqualTo("application/vnd.openxmlformats-officedocument.wordprocessingml.document");
        assertThat(MediaTypes.received("application/octet-stream", "notes.md", bytes("# Notes\n")))
                .isEqualTo("text/markdown");
        assertThat(MediaTypes.received("application/octet-stream", "a.bin", new byte[] {0, 1, 2, 3}))
                .isEqualTo("application/octet-stream");
        assertThat(MediaTypes.received("application/octet-stream", null, new byte[0]))
                .isEqualTo("application/octet-stream");
    }

    @Test
    void aSendersWordIsTakenWhenItSaysSomethingHarmless() {
        assertThat(MediaTypes.received("text/csv", "a.csv", PDF)).isEqualTo("text/csv");
        assertThat(MediaTypes.received("image/jpeg", "a.jpg", PNG)).isEqualTo("image/jpeg");
        assertThat(MediaTypes.received("text/plain", "mz.txt", bytes("MZ is the mark of a program")))
                .isEqualTo("text/plain");
    }

    @Test
    @Proves("A19")
    void aProgramIsCalledOne() {
        assertThat(MediaTypes.received("image/png", "cat.png", EXE)).startsWith("application/x-");
        assertThat(MediaTypes.received("application/pdf", "invoice.pdf.exe", EXE))
                .startsWith("application/x-");
        assertThat(MediaTypes.received("text/plain", "a.txt", bytes("#!/bin/sh\nrm -rf /\n")))
                .isEqualTo("application/x-sh");
        assertThat(MediaTypes.received("application/x-dosexec", "a.exe", EXE)).isEqualTo("application/x-dosexec");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "image/gif, text/html, a.txt, image/gif",
                "-, text/html; charset=utf-8, a.txt, text/html; charset=utf-8",
                "-, text/html; charset, a.txt, text/html",
                "-, application/octet-stream, a.txt, text/plain",
                "-, -, a.html, text/html",
                "-, -, unnamed, application/pdf",
                "-, <script>, unnamed, application/pdf"
            })
    void whatIsSentGoesByTheCallerThenTheServerThenTheNameThenTheBytes(
            String wanted, String answered, String name, String expected) {
        assertThat(MediaTypes.sent(wanted, answered, name, AttachmentContent.of(PDF)))
                .isEqualTo(expected);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
