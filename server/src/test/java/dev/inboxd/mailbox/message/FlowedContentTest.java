package dev.inboxd.mailbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mailbox.content.ReadableContent;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What an agent reads of format=flowed (RFC 3676). */
class FlowedContentTest {
    @Test
    void textStaysAsItCameAndWhatIsExtractedIsJoined() {
        ReadableContent shown = ReadableContent.of(MessageParser.parse(new ByteArrayInputStream(String.join(
                        "\n",
                        "From: a@example.org",
                        "Content-Type: text/plain; format=flowed; delsp=yes",
                        "",
                        "A para ",
                        "graph that  ",
                        "flows.",
                        " >own",
                        "> quoted ",
                        "> too",
                        "")
                .getBytes(StandardCharsets.UTF_8))));
        assertThat(shown.text()).startsWith("A para \ngraph that  \n");
        assertThat(shown.extractedText()).isEqualTo("A paragraph that flows.\n>own");
        assertThat(ReadableContent.of(shown.stored()).extractedText()).isEqualTo(shown.extractedText());
    }
}
