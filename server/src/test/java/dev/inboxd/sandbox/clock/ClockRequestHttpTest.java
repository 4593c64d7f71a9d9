package dev.inboxd.sandbox.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a request to move the clock may say (sandbox.md §5). */
class ClockRequestHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {} | advance
            {"advance":-1} | advance
            {"advance":34560001} | advance
            {"advance":"P401D"} | advance
            {"advance":"-PT1H"} | advance
            {"advance":"soon"} | advance
            {"advance":true} | advance
            {"advance":1e300} | advance
            {"advance":1,"freeze":true} | freeze
            {"set":"yesterday"} | set
            {"set":"2020-01-01T00:00:00Z"} | set
            {"set":"2999-01-01T00:00:00Z"} | set
            {"freeze":false} | freeze
            {"resume":1} | resume
            {"freeze":true,"jump":true} | jump
            {"advance":1,"settle_seconds":61} | settle_seconds""")
    void whatCannotBeReadIsNamedAndMovesNothing(String body, String member) {
        Answer refused = world.anonymous().sloppy().post("/sandbox/clock", body).is(400);
        assertThat(refused.text()).contains("\"" + member + "\"");
        assertThat(world.anonymous().get("/sandbox/clock").is(200).at("offset_seconds"))
                .isEqualTo(0.0);
    }
}
