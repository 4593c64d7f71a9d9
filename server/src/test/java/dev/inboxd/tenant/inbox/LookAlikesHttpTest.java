package dev.inboxd.tenant.inbox;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that are easily taken for others (promises.md A35). */
class LookAlikesHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @ParameterizedTest
    @Proves("A35")
    @CsvSource({"paypal-l, paypa1-l", "bill0, biil0", "modern-news, modem-news", "vvorld, world", "clean, dean"})
    void whatLooksLikeAnothersAddressIsTaken(String one, String other) {
        world.inbox(one);
        Answer taken = signUp(other);
        assertThat(taken.is(403).at("code")).isEqualTo(ErrorCode.RESOURCE_TAKEN.wireName());
        world.inbox(other); // whose is the first may have the second
    }

    @Test
    void whatDiffersForTheEyeIsFree() {
        world.inbox("ann-one");
        signUp("ann-two").is(200);
        signUp("ann.one").is(200);
    }

    @Test
    @Proves("A36")
    void aDeletedAddressKeepsItsLook() {
        String inbox = world.inbox("gone-l");
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        signUp("gone-1").is(403);
    }

    @ParameterizedTest
    @Proves("A35")
    @ValueSource(strings = {"postmaster", "p0stmaster", "adm1n", "admln", "secur1ty", "noreply", "r00t"})
    void namesOfTheServiceAreNobodysHoweverSpelled(String username) {
        assertThat(world.http()
                        .post("/v0/inboxes", json("username", username))
                        .is(403)
                        .at("code"))
                .isEqualTo(ErrorCode.RESOURCE_TAKEN.wireName());
    }

    private static Answer signUp(String username) {
        return world.anonymous()
                .post("/v0/agent/sign-up", json("human_email", username + "@human.test", "username", username));
    }
}
