package dev.inboxd.mcp;

import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The number of a long link is its number among the links of the message (markdown.md §3, §9). */
class ShortLinksHttpTest {
    private static final Pattern SHORT = Pattern.compile("link:(\\d+)");
    private static final String LONG = "x".repeat(220);
    private static final String QUERY = "&format=markdown&links=short";

    @RegisterExtension
    private static final World world = World.start();

    @BeforeAll
    static void start() {
        world.dns().text("example.com", "v=spf1 ip4:127.0.0.1 -all");
    }

    /** Each target by its number, as the route of codes and links has them. */
    private static Map<String, String> targets(String inbox, String message) {
        Answer answer = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + encoded(message) + "/extracted")
                .is(200);
        Map<String, String> targets = new TreeMap<>();
        for (int i = 0; i < Integer.parseInt(String.valueOf(answer.at("count.links"))); i++) {
            targets.put(String.valueOf(answer.at("links." + i + ".n")), answer.text("links." + i + ".target"));
        }
        return targets;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static List<String> numbers(String markdown) {
        return SHORT.matcher(markdown)
                .results()
                .map((MatchResult link) -> link.group(1))
                .distinct()
                .toList();
    }

    private static void send(String inbox, String id, String type, String body) {
        assertThat(world.mail("jo@example.com", inbox, """
                        From: Jo <jo@example.com>
                        To: %s
                        Message-ID: <%s>
                        Subject: Links
                        MIME-Version: 1.0
                        Content-Type: %s; charset=utf-8

                        """.formatted(inbox, id, type) + body + "\n"))
                .startsWith("250");
    }

    /** Everything that shows the message says the same numbers: those of its long links. */
    private static void assertShort(String inbox, String id, String... ends) {
        Map<String, String> targets = targets(inbox, id);
        String list = "/v0/inboxes/" + inbox + "/messages";
        Answer single = world.http()
                .get(list + "/" + encoded(id) + "?quotes=full" + QUERY)
                .is(200);
        List<String> shown = numbers(single.text("markdown"));
        assertThat(shown.stream().map(targets::get)).hasSameSizeAs(ends);
        for (int i = 0; i < ends.length; i++) {
            assertThat(targets.get(shown.get(i))).endsWith(ends[i]).hasSizeGreaterThan(200);
        }
        Answer listed =
                world.http().get(list + "?limit=1&max_chars=5000" + QUERY).is(200);
        assertThat(shown).containsAll(numbers(listed.text("messages.0.markdown")));
        Answer thread = world.http()
                .get("/v0/inboxes/" + inbox + "/threads/" + single.text("thread_id") + "?limit=10" + QUERY)
                .is(200);
        assertThat(shown).containsAll(numbers(thread.text("transcript.0.markdown")));
        assertThat(numbers(thread.text("transcript.0.markdown"))).isNotEmpty();
        Answer tool = McpProbe.of(world.http())
                .call(
                        "get_message",
                        Json.text(Map.of("inboxId", inbox, "messageId", id, "quotes", "full", "extract", true)))
                .is(200);
        JsonTree result = JsonTree.of(tool.text("result.content.0.text").getBytes(StandardCharsets.UTF_8));
        assertThat(numbers(result.get("message").text("markdown"))).isEqualTo(shown);
        assertThat(tool.text("result.content.0.text")).contains(members("n", Integer.parseInt(shown.getFirst())) + ",");
    }

    @Test
    void ofAText() {
        String inbox = world.inbox("text");
        send(inbox, "t1@x.test", "text/plain", """
                See https://a.test/1 and <https://a.test/%s/2>.
                https://go.test/r?url=https%%3A%%2F%%2Fa.test%%2F3&pad=%s
                https://a.test/verify/%s/4?utm_source=x

                On Mon, 5 May 2025, Ann wrote:
                > https://a.test/%s/5
                """.formatted(LONG, LONG, LONG, LONG));
        assertShort(inbox, "<t1@x.test>", "/2", "/4?utm_source=x", "/5");
    }

    @Test
    void ofFlowedText() {
        String inbox = world.inbox("flowed");
        send(inbox, "f1@x.test", "text/plain; format=flowed", """
                See https://a.test/1 or \nthat of https://a.test/%s/2 \n.
                """.formatted(LONG));
        assertShort(inbox, "<f1@x.test>", "/2");
    }

    @Test
    void ofHtml() {
        String inbox = world.inbox("html");
        send(inbox, "h1@x.test", "text/html", """
                <p style="display:none"><a href="https://h.test/%1$s">hidden</a></p>
                <p><a href="https://a.test/1">one</a> <a href="https://a.test/%1$s/2?utm_source=x">two</a></p>
                <table><tr><td><a href="https://go.test/r?url=https%%3A%%2F%%2Fa.test%%2F3&amp;pad=%1$s">three</a></td>
                <td><a href="https://a.test/verify/%1$s/4?utm_source=x">Confirm</a></td></tr></table>
                <p><a href="https://a.test/%1$s/2"><img src="x" alt="two again"></a></p>
                <blockquote type="cite"><p>On Mon, 5 May 2025, Ann wrote:</p><a href="https://a.test/%1$s/5">five</a>
                </blockquote>""".formatted(LONG));
        assertShort(inbox, "<h1@x.test>", "/2", "/4?utm_source=x", "/5");
    }
}
