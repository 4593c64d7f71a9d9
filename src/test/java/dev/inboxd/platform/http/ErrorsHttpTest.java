package dev.inboxd.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.server.World;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** The page behind every error. */
class ErrorsHttpTest {
    @Test
    void whatAnErrorPointsToIsThereAndTellsOfEveryCode() {
        try (World world = World.start()) {
            HttpProbe.Answer error = world.http().get("/v0/nothing").is(404);
            URI docs = URI.create(error.text("docs"));
            assertThat(docs.getFragment()).isEqualTo(error.text("code"));
            HttpProbe.Answer page = world.anonymous().get(docs.getPath()).is(200);
            assertThat(page.header("Content-Type")).startsWith("text/html");
            for (ErrorCode code : ErrorCode.values()) {
                assertThat(page.text())
                        .contains("id=\"" + code.wireName() + "\"", code.fix() == null ? "" : code.fix());
            }
        }
    }
}
