package dev.inboxd.reference;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the tests send is held against the description, and a gap in it is seen. */
class RequestContractTest {
    private static final String JSON = "application/json";

    private static String fault(String line, String mediaType, @Nullable String body) {
        return RequestContract.fault(
                new RequestContract.Sent(line, mediaType, body == null ? null : body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatIsDescribedIsTaken() {
        assertThat(fault("POST /v0/inboxes", JSON, json("username", "ann", "metadata", object("any", 1))))
                .isEmpty();
        assertThat(fault("POST /v0/inboxes", JSON, "{ }")).isEmpty();
        assertThat(fault("GET /v0/inboxes?limit=1&page_token=a%20b", "", null)).isEmpty();
        assertThat(fault("DELETE /v0/inboxes/ann@mail.example", "", "{}")).isEmpty();
    }

    @Test
    void aMemberANameAndABodyThatAreNotDescribedAreSeen() {
        assertThat(fault("POST /v0/inboxes", JSON, json("nickname", "ann"))).contains("nickname");
        assertThat(fault("POST /v0/inboxes", JSON, json("username", 7))).contains("username");
        assertThat(fault("GET /v0/inboxes?limit=1&colour=red", "", null)).contains("[colour]");
        assertThat(fault("DELETE /v0/inboxes/ann@mail.example", JSON, json("now", true)))
                .isEqualTo("a body is not described");
        assertThat(fault("POST /v0/inboxes", "text/csv", "username")).contains("text/csv");
    }
}
