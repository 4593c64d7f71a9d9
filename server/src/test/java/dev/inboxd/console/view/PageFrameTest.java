package dev.inboxd.console.view;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.json.JsonTree;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a list says of a conversation. */
class PageFrameTest {
    private static final PageFrame FRAME = new PageFrame(
            "",
            "",
            "",
            new PageFrame.Who("", "", Role.READ, false, false, false),
            "",
            PageFrame.Note.NONE,
            "",
            Instant.EPOCH,
            List.of());

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "sent; Ada <ada@x.test>; Maria <m@y.test>|bo@y.test; Ada → Maria +1",
                "sent; ada@x.test; Maria <m@y.test>; ada → Maria",
                "sent; ada@x.test; ADA@x.test; ada → itself",
                "received; Jo Field <jo@y.test>; ada@x.test; Jo Field → ada",
                "received; Jo <jo@y.test>|Ada <ada@x.test>|Kim <k@y.test>; Jo <jo@y.test>; Jo +1 → Ada",
                "received; ada@x.test; ada@x.test; ada → ada",
            })
    void whoWritesToWhomIsShort(String direction, String senders, String recipients, String shown) {
        String thread = json(
                "inbox_id",
                "ada@x.test",
                "last_direction",
                direction,
                "senders",
                List.of(senders.split("\\|")),
                "recipients",
                List.of(recipients.split("\\|")));
        assertThat(FRAME.parties(JsonTree.of(thread.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(shown);
    }
}
