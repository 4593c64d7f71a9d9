package dev.inboxd.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.server.World;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page behind every error. */
class ErrorWordsHttpTest {
    @Test
    void whatAnErrorPointsToIsThereAndTellsOfEveryCode() {
        try (World world = World.start()) {
            HttpProbe.Answer error = world.http().get("/v0/nothing").is(404);
            URI docs = URI.create(error.text("docs"));
            assertThat(docs.getFragment()).isEqualTo(error.text("code"));
            HttpProbe.Answer page = world.anonymous().get(docs.getPath()).is(200);
            assertThat(page.header("Content-Type")).startsWith("text/html");
            for (ErrorCode code : ErrorCode.values()) {
                assertThat(page.text()).contains("id=\"" + code.wireName() + "\"");
            }
            // Everything that it prints is text: the only tags are those of its own form.
            assertThat(page.text()).contains("Bearer &lt;api_key&gt;").doesNotContain("<api_key>");
        }
    }

    @Test
    void eachCodeHasWordsOfItsOwn() {
        assertThat(ErrorWords.all().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(ErrorCode.values()).map(ErrorCode::wireName).toList());
        assertThat(ErrorWords.all().values())
                .doesNotHaveDuplicates()
                .allSatisfy(words -> assertThat(words).hasSizeGreaterThan(30).endsWith("."));
    }

    @Test
    void textInAPageIsNothingButText() {
        String hostile = "</p><script>alert('x')</script>\"&amp;";
        String page = new String(
                ((Response.Body.Bytes) HtmlPage.titled(hostile)
                                .paragraph(hostile)
                                .link("/\" onclick=\"x", hostile)
                                .response()
                                .body())
                        .content(),
                StandardCharsets.UTF_8);
        assertThat(page)
                .doesNotContain("<script", "\" onclick=\"")
                .contains("&lt;/p&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;amp;");
    }

    @Test
    void theAddressOfTheServerLeadsToWhatItHas() {
        try (World world = World.start(Map.of("INBOXD_CONSOLE", "off"))) {
            HttpProbe.Answer page = world.anonymous().get("/").is(200);
            assertThat(page.header("Content-Type")).startsWith("text/html");
            List<String> links = Pattern.compile("href=\"([^\"]+)\"")
                    .matcher(page.text())
                    .results()
                    .map(found -> found.group(1))
                    .toList();
            assertThat(links).contains("/sandbox/messages", "/docs/errors", "/healthz", "/metrics");
            links.forEach(link -> world.anonymous().get(link).is(200));
        }
    }
}
