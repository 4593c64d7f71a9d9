package dev.inboxd.mailbox.markdown;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Words that a mail hides, looked for in every answer that shows what a person sees. */
class HiddenMarkdownHttpTest {
    private static final String SHOWN = "seenword";
    private static final String HIDDEN = "unseenword";

    @RegisterExtension
    private static final World world = World.start();

    /** A page with hidden words, codes and links of several kinds beside words that are shown. */
    private static String page() {
        String secret = HIDDEN + " Your code is 999999 <a href=\"https://" + HIDDEN + ".test/verify\">Verify</a>";
        return """
                <html><head><title>%1$s</title><style>
                .gone { display: none } #small { font-size: 1px }
                @media screen { p.away { position: absolute; left: -2000px } }
                </style></head><body>
                <div class="gone">%1$s</div><p id="small">%1$s</p><p class="away">%1$s</p>
                <div style="opacity:0">%1$s</div><div hidden>%1$s</div>
                <div style="max-height:0;overflow:hidden">%1$s</div>
                <div style="background:#ffffff"><font color="#fefefe">%3$s 999999</font></div><template>%1$s</template>
                <!-- %1$s --><!--[if mso]><p>%1$s</p><![endif]-->
                <p>%2$s Your code is 482913 <a href="https://id.test/verify">Confirm</a></p>
                <blockquote type="cite"><p>%2$s</p><p style="visibility:hidden">%1$s</p></blockquote>
                </body></html>""".formatted(secret, SHOWN, HIDDEN); // a link has a colour of its own, and is seen
    }

    private static String received(String inbox) {
        world.dns().text("example.com", "v=spf1 ip4:127.0.0.1 -all");
        assertThat(world.mail("jo@example.com", inbox, """
                From: jo@example.com
                Subject: %s
                Message-ID: <hidden@example.com>
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/html; charset=utf-8

                %s
                --b
                Content-Type: text/html; charset=utf-8
                Content-Disposition: attachment; filename=page.html

                %2$s
                --b--
                """.formatted(SHOWN, page())))
                .startsWith("250");
        return "/v0/inboxes/" + inbox + "/messages/hidden@example.com";
    }

    private static void isClean(String name, Answer answer) {
        assertThat(answer.is(200).text())
                .as(name)
                .contains(SHOWN)
                .doesNotContain(HIDDEN)
                .doesNotContain("999999");
    }

    @Test
    @Proves("A46")
    void whatAMailHidesIsInNoAnswerOverHttp() {
        String inbox = world.inbox("hidden");
        String box = "/v0/inboxes/" + inbox;
        String message = received(inbox);
        Answer read = world.http().get(message).is(200);
        assertThat(read.at("hidden_text")).isEqualTo(true);
        assertThat(read.text("extracted_text") + read.text("preview"))
                .contains(SHOWN)
                .doesNotContain(HIDDEN);
        String file = message + "/attachments/" + read.text("attachments.0.attachment_id");
        Eventually.await(() -> world.http().get(file).is(200).at("text_url") != null);
        String draft = world.http()
                .post(box + "/drafts", json("subject", SHOWN, "html", page()))
                .is(200)
                .text("draft_id");
        Eventually.await(world::isIndexed);
        List<String> paths = new ArrayList<>(List.of(
                message + "/extracted",
                file + "?format=markdown",
                box + "/drafts/" + draft + "?format=markdown",
                box + "/messages?format=markdown",
                box + "/threads?format=markdown",
                "/v0/threads?format=markdown&max_chars=100000&quotes=full",
                box + "/messages/search?format=markdown&q=" + SHOWN,
                box + "/threads/search?format=markdown&q=" + SHOWN,
                box + "/threads/" + read.text("thread_id") + "?format=markdown",
                box + "/threads/" + read.text("thread_id") + "?format=markdown&quotes=full",
                box + "/messages/wait?format=markdown&timeout=0&since=2000-01-01T00:00:00Z&extract=code&extract=link"));
        for (String quotes : List.of("fold", "full", "none")) {
            paths.add(message + "?format=markdown&links=short&quotes=" + quotes);
        }
        paths.forEach(path -> isClean(path, world.http().get(path)));
        isClean(
                "text_url",
                world.anonymous()
                        .get(URI.create(world.http().get(file).text("text_url")).getRawPath()));
        assertThat(world.http()
                        .get(box + "/messages/search?q=" + HIDDEN)
                        .is(200)
                        .list("messages"))
                .isEmpty();
    }

    @Test
    @Proves("A46")
    void whatAMailHidesIsInNoResultOfATool() {
        String inbox = world.inbox("tools");
        Answer read = world.http().get(received(inbox)).is(200);
        Object thread = read.text("thread_id");
        Object file = read.text("attachments.0.attachment_id");
        Eventually.await(world::isIndexed);
        Map<String, JsonObject> calls = Map.of(
                "get_message",
                        JsonObject.of("messageId", "<hidden@example.com>").with("extract", true),
                "get_thread", JsonObject.of("threadId", thread),
                "get_attachment", JsonObject.of("threadId", thread).with("attachmentId", file),
                "list_messages", new JsonObject(),
                "list_threads", new JsonObject(),
                "search_messages", JsonObject.of("q", SHOWN),
                "search_threads", JsonObject.of("q", SHOWN),
                "wait_for_message",
                        JsonObject.of("since", "2000-01-01T00:00:00Z").with("extract", List.of("code", "link")));
        calls.forEach((tool, arguments) -> {
            JsonObject call = JsonObject.of("jsonrpc", "2.0")
                    .with("id", 1)
                    .with("method", "tools/call")
                    .with("params", JsonObject.of("name", tool).with("arguments", arguments.with("inboxId", inbox)));
            isClean(tool, world.http().post("/mcp", Json.text(call)));
        });
    }
}
