package dev.inboxd.screening;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.testing.Eventually;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is left of a judged message: nothing when it is deleted, and none of its words in a log at any time. */
class SecurityErasureHttpTest {
    private static long rows(SecuredWorld secured) {
        return secured.world()
                .database()
                .read(tx -> tx.sql(
                                View.of(secured.world().organization()),
                                "select (select count(*) from message_security y where {y})"
                                        + " + (select count(*) from security_feedback f where {f}) as n")
                        .single(row -> row.longer("n")));
    }

    private static String judged(SecuredWorld secured) {
        String held = secured.order();
        secured.release(secured.releaser(), held, "tangerine").is(200);
        secured.world()
                .http()
                .post(
                        secured.path(held) + "/security-feedback",
                        json("feedback", "incorrect_review", "notes", "tangerine"))
                .is(200);
        return held;
    }

    private static String events(SecuredWorld secured) {
        return secured.world()
                .database()
                .read(tx -> String.join(
                        " ",
                        tx.sql(View.of(secured.world().organization()), "select e::text as line from event e where {e}")
                                .list(row -> row.text("line"))));
    }

    @Test
    void theVerdictTheReleaseAndTheOpinionsGoWithTheMessage() {
        try (SecuredWorld secured = SecuredWorld.start("hold")) {
            HttpProbe http = secured.world().http();
            String one = judged(secured);
            assertThat(rows(secured)).isEqualTo(2);
            assertThat(events(secured)).contains("tangerine");
            http.delete(secured.path(one)).is(200);
            assertThat(rows(secured)).isZero();
            assertThat(events(secured)).doesNotContain("tangerine");
            String two = judged(secured);
            http.delete("/v0/threads/" + http.get(secured.path(two)).is(200).text("thread_id"))
                    .is(200);
            assertThat(rows(secured)).isZero();
            judged(secured);
            secured.order();
            assertThat(rows(secured)).isEqualTo(3);
            http.delete(secured.path()).is(200);
            Eventually.await(() -> rows(secured) == 0 && correspondents(secured) == 0);
        }
    }

    private static long correspondents(SecuredWorld secured) {
        return secured.world()
                .database()
                .read(tx -> tx.sql(
                                View.of(secured.world().organization()),
                                "select count(*) as n from correspondent c where {c}")
                        .single(row -> row.longer("n")));
    }

    @Test
    void noWordOfAMailIsInALogAMetricAnErrorOrTheReasons() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(lines);
        try (SecuredWorld secured = SecuredWorld.start("hold")) {
            String held = judged(secured);
            HttpProbe.Answer conflict =
                    secured.release(secured.releaser(), held, "tangerine").is(409);
            assertThat(conflict.text()).doesNotContain("xylophone").doesNotContain("tangerine");
            assertThat(String.valueOf(secured.world()
                            .http()
                            .get(secured.path(held))
                            .is(200)
                            .at("security.reasons")))
                    .doesNotContain("xylophone");
            assertThat(List.copyOf(lines.list))
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(
                                    line.getFormattedMessage() + line.getKeyValuePairs() + line.getThrowableProxy())
                            .doesNotContain("xylophone")
                            .doesNotContain("tangerine"));
        } finally {
            root.detachAppender(lines);
        }
    }
}
