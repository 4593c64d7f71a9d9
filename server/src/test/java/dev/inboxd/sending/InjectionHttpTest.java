package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing a caller writes opens a header field of its own (promises.md A7), whichever way it is sent. */
class InjectionHttpTest {
    private static final List<String> ENDS = List.of("\\r\\n", "\\n", "\\r", "\\u0000");

    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;
    private static String message;

    @BeforeAll
    static void start() {
        inbox = world.inbox("injected");
        assertThat(world.mail("jo@x.test", inbox, "From: jo@x.test\nSubject: Hi\nMessage-ID: <1@x.test>\n\nHi\n"))
                .startsWith("250");
        message = "/messages/" + URLEncoder.encode("<1@x.test>", StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @Proves("A7")
    @CsvSource(delimiter = '|', textBlock = """
                    "subject":"aENDX-Injected: 1"
                    "to":"aENDX-Injected: 1 <jo@x.test>"
                    "to":["jo@x.testENDX-Injected: 1"]
                    "cc":["aENDX-Injected: 1 <al@x.test>"]
                    "bcc":["al@x.testENDX-Injected: 1"]
                    "reply_to":"aENDX-Injected: 1 <al@x.test>"
                    "headers":{"X-A":"aENDX-Injected: 1"}
                    "headers":{"X-AENDX-Injected":"1"}
                    "attachments":[{"filename":"aENDX-Injected: 1","content":"aGk="}]
                    "attachments":[{"filename":"a","content_type":"text/plainENDX-Injected: 1","content":"aGk="}]
                    "attachments":[{"filename":"a","content_id":"aENDX-Injected: 1","content":"aGk="}]""")
    void aLineEndOrANulIsRefusedOnEveryWayOut(String member) {
        for (String end : ENDS) {
            String to = member.startsWith("\"to\"") ? "" : "," + members("to", "jo@x.test");
            String hostile = "{" + member.replace("END", end) + ",\"text\":\"Hi\"";
            assertThat(post("/messages/send", hostile + to + "}").status())
                    .as(member)
                    .isEqualTo(400);
            refusedOrHarmless(post(message + "/reply", hostile + "}"));
            refusedOrHarmless(post(message + "/reply-all", hostile + "}"));
            refusedOrHarmless(post(message + "/forward", hostile + to + "}"));
            Answer draft = post("/drafts", hostile + to + "}");
            refusedOrHarmless(
                    draft.status() == 200 ? post("/drafts/" + draft.text("draft_id") + "/send", "{}") : draft);
        }
    }

    @ParameterizedTest
    @Proves("A7")
    @ValueSource(strings = {"\\r\\n", "\\n", "\\r", "\\u0000"})
    void aNameOfAnInboxCannotHoldOneEither(String end) {
        String name = "{\"display_name\":\"a" + end + "X-Injected: 1\"";
        assertThat(world.http().post("/v0/inboxes", name + "}").status()).isEqualTo(400);
        assertThat(world.http().patch("/v0/inboxes/" + inbox, name + "}").status())
                .isEqualTo(400);
    }

    private static Answer post(String path, String body) {
        return world.http().sloppy().post("/v0/inboxes/" + inbox + path, body);
    }

    private static void refusedOrHarmless(Answer answer) {
        if (answer.status() == 400) {
            assertThat(answer.text("code")).isEqualTo("validation_error");
            return;
        }
        String sent = URLEncoder.encode(answer.is(200).text("message_id"), StandardCharsets.UTF_8);
        URI raw = URI.create(world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + sent + "/raw")
                .is(200)
                .text("download_url"));
        assertThat(world.anonymous().get(raw.getRawPath()).is(200).text().lines())
                .noneMatch(line -> line.startsWith("X-Injected"));
    }
}
