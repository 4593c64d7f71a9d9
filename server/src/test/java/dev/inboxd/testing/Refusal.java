package dev.inboxd.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe;
import java.util.List;

/** What every refusal must carry (identity.md §3.1). */
public final class Refusal {
    private Refusal() {}

    /** Asserts the whole envelope of a refusal whose remedy mentions these texts, and returns the answer. */
    public static HttpProbe.Answer of(HttpProbe.Answer answer, ErrorCode code, String... remedies) {
        answer.is(code.status());
        assertThat(answer.text("code")).isEqualTo(code.wireName());
        assertThat(answer.text("name")).isEqualTo(code.legacyName());
        assertThat(answer.text("message")).isNotBlank();
        assertThat(answer.text("docs")).endsWith("/docs/errors#" + code.wireName());
        assertThat(answer.text("request_id")).startsWith("req_");
        for (String remedy : remedies) {
            assertThat(answer.text("fix")).contains(remedy);
        }
        if (code.status() == 401) {
            assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"inboxd\"");
        }
        return answer;
    }

    /** Asserts a {@code validation_error} about one member, and returns the answer. */
    public static HttpProbe.Answer ofMember(HttpProbe.Answer answer, String... path) {
        of(answer, ErrorCode.VALIDATION_ERROR);
        assertThat(answer.list("errors")).as(answer::text).hasSize(1);
        assertThat(answer.list("errors.0.path")).as(answer::text).isEqualTo(List.of((Object[]) path));
        return answer;
    }
}
