package dev.inboxd.smtp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyReaderTest {
    @Test
    void aReplyIsItsCodeItsStatusAndItsWords() throws IOException {
        assertThat(read("250 ok\r\n")).isEqualTo(new ServerReply(250, null, "ok"));
        assertThat(read("250\r\n")).isEqualTo(new ServerReply(250, null, ""));
        assertThat(read("250 \n")).isEqualTo(new ServerReply(250, null, ""));
        assertThat(read("550-5.1.1 one\r\n550-5.1.1\r\n550 5.1.1 two\r\n"))
                .isEqualTo(new ServerReply(550, "5.1.1", "one two"));
        assertThat(read("450 5.1.1 other class\r\n")).isEqualTo(new ServerReply(450, null, "5.1.1 other class"));
        assertThat(read("250 2.1 short\r\n")).isEqualTo(new ServerReply(250, null, "2.1 short"));
        assertThat(read("250 2.1.1234 long\r\n")).isEqualTo(new ServerReply(250, null, "2.1.1234 long"));
        assertThat(read("250 2.0.0 j\u00f6rg\r\n")).isEqualTo(new ServerReply(250, "2.0.0", "jörg"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello\r\n",
                "25\r\n",
                "2x0 a\r\n",
                "199 a\r\n",
                "600 a\r\n",
                "250_a\r\n",
                "\r\n",
                "250-a\r\n251 b\r\n",
                "250-a\r\n"
            })
    void nonsenseIsNoReply(String sent) {
        assertThatThrownBy(() -> read(sent)).isInstanceOf(IOException.class);
    }

    @Test
    void aReplyHasAtMost100LinesOf2048Octets() throws IOException {
        assertThat(read("250-a\r\n".repeat(99) + "250 a\r\n").text()).hasSize(199);
        assertThatThrownBy(() -> read("250-a\r\n".repeat(100) + "250 a\r\n")).hasMessageContaining("100 lines");
        assertThat(read("250 " + "a".repeat(2_000) + "\r\n").text()).hasSize(1_000);
        assertThatThrownBy(() -> read("250 " + "a".repeat(2_048) + "\r\n")).hasMessageContaining("2048 octets");
    }

    @Test
    void blankLinesInAReplyAreNoLines() throws IOException {
        assertThat(read("\r\n250-a\r\n\r\n250-\r\n \r\n250 b\r\n").text()).isEqualTo("a b");
        assertThatThrownBy(() -> read("\r\n".repeat(200) + "250 a\r\n")).hasMessageContaining("not speak SMTP");
        assertThat(EhloExtensions.of(List.of("mx", "", "SIZE 9", "")).keywords())
                .containsOnlyKeys("SIZE");
    }

    @Test
    void keywordsKeepTheirParameters() {
        var offered =
                EhloExtensions.of(List.of("mx.example greets", "Pipelining", "SIZE 1000", "AUTH PLAIN LOGIN", ""));
        assertThat(offered.has("PIPELINING")).isTrue();
        assertThat(offered.maxSize()).isEqualTo(1_000);
        assertThat(offered.keywords()).containsEntry("AUTH", "PLAIN LOGIN");
        for (var size : List.of("SIZE", "SIZE 0", "SIZE x", "SIZE -1", "SIZE 99999999999999999999", "NOSIZE")) {
            assertThat(EhloExtensions.of(List.of("mx", size)).maxSize()).isEqualTo(Long.MAX_VALUE);
        }
    }

    private static ServerReply read(String sent) throws IOException {
        return new ReplyReader(new ByteArrayInputStream(sent.getBytes(StandardCharsets.UTF_8))::read)
                .read()
                .reply();
    }
}
