package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How much an organization may have and send (identity.md §4.2). */
class QuotaHttpTest {
    private static Answer send(World world, String key, String inbox, String to) {
        return world.as(key)
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", List.of(to), "subject", "s", "text", "t"));
    }

    @Test
    @Proves("A43")
    void manySendsAtOnceOnTwoNodesAreExactlyAsManyAsADayAllows() throws InterruptedException {
        Map<String, String> settings = Map.of("INBOXD_LIMITS", "sends_per_day=7,requests=1000");
        try (World first = World.start(settings);
                World second = first.beside(settings)) {
            String inbox = first.inbox("ann");
            AtomicInteger sent = new AtomicInteger();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                World node = i % 2 == 0 ? first : second;
                int number = i;
                senders.add(Thread.startVirtualThread(() -> sent.addAndGet(
                        send(node, first.key(), inbox, "you" + number + "@example.com")
                                                .status()
                                        == 200
                                ? 1
                                : 0)));
            }
            for (Thread sender : senders) {
                sender.join();
            }
            assertThat(sent).hasValue(7);
            Answer refused =
                    send(second, first.key(), inbox, "late@example.com").is(429);
            assertThat(refused.at("code")).isEqualTo(ErrorCode.RATE_LIMIT_EXCEEDED.wireName());
            assertThat(refused.at("resource")).isEqualTo("sends_per_day");
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 86_400);
            first.advance(Duration.ofDays(1));
            send(first, first.key(), inbox, "late@example.com").is(200);
        }
    }

    @Test
    @Proves("A43")
    void aMonthAddsItsDaysUpAndARepeatedSendIsNotCountedTwice() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "sends_per_month=2"))) {
            String inbox = world.inbox("ann");
            for (int i = 0; i < 3; i++) {
                world.http()
                        .with("Idempotency-Key", "one")
                        .post(
                                "/v0/inboxes/" + inbox + "/messages/send",
                                json("to", List.of("you@example.com"), "subject", "s", "text", "t"))
                        .is(200);
            }
            send(world, world.key(), inbox, "you2@example.com").is(200);
            assertThat(send(world, world.key(), inbox, "you3@example.com")
                            .is(429)
                            .at("resource"))
                    .isEqualTo("sends_per_month");
            world.advance(Duration.ofDays(32));
            send(world, world.key(), inbox, "you3@example.com").is(200);
        }
    }

    @Test
    void anUnverifiedOrganizationWritesToItsHumanTenTimesADay() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "on"))) {
            Answer welcome = world.anonymous()
                    .post("/v0/agent/sign-up", json("human_email", "ann@human.test", "username", "ann"))
                    .is(200);
            for (int i = 0; i < 10; i++) {
                send(world, welcome.text("api_key"), welcome.text("inbox_id"), "ann@human.test")
                        .is(200);
            }
            assertThat(send(world, welcome.text("api_key"), welcome.text("inbox_id"), "ann@human.test")
                            .is(429)
                            .at("resource"))
                    .isEqualTo("sends_per_day_unverified");
        }
    }

    @Test
    void anOrganizationOpensAsManyInboxesAsItsOperatorAllowsAndIsToldHowMany() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "inboxes=2"))) {
            world.inbox("one");
            world.inbox("two");
            Answer refused =
                    world.http().post("/v0/inboxes", json("username", "three")).is(403);
            assertThat(refused.at("code")).isEqualTo(ErrorCode.LIMIT_EXCEEDED.wireName());
            assertThat(refused.at("limit")).isEqualTo(2L);
            assertThat(world.http().get("/v0/organizations").is(200).at("inbox_limit"))
                    .isEqualTo(2L);
        }
    }
}
