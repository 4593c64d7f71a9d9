package dev.inboxd.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.server.World;
import dev.inboxd.tenant.list.Lists;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A person frees an address that a bounce blocked, and no other; and sees what each pause does (rulings 141, 176). */
class ConsoleAddressHttpTest {
    @RegisterExtension
    private final World world = World.start();

    private ConsoleProbe console;

    @BeforeEach
    void start() {
        console = ConsoleProbe.of(world, "agent");
    }

    @Test
    @Proves("P11b")
    void whatABounceBlockedIsFreedOnceADay() {
        suppress("kim@far.test", Lists.Cause.BOUNCED);
        assertThat(console.page("/addresses/kim@far.test")).contains("Unblock address");
        console.sends("/addresses/kim@far.test", "do", "free").is(303);
        world.http().get("/v0/lists/send/block/kim@far.test").is(404);
        assertThat(world.as(world.session()).get("/v0/audit-log").is(200).list("entries").stream()
                        .map(String::valueOf))
                .anyMatch(
                        entry -> entry.contains("action=suppression.removed") && entry.contains("target=kim@far.test"));
        suppress("kim@far.test", Lists.Cause.BOUNCED);
        console.sends("/addresses/kim@far.test", "do", "free").is(429);
        world.http().get("/v0/lists/send/block/kim@far.test").is(200);
        suppress("jo@far.test", Lists.Cause.BOUNCED);
        console.sends("/addresses/jo@far.test", "do", "free").is(303);
        world.advance(Duration.ofHours(25));
        console.sends("/addresses/kim@far.test", "do", "free").is(303);
    }

    @Test
    @Proves("P11b")
    void whoComplainedOrUnsubscribedIsNotFreed() {
        for (Lists.Cause cause : List.of(Lists.Cause.COMPLAINED, Lists.Cause.UNSUBSCRIBED)) {
            suppress("al@far.test", cause);
            assertThat(console.page("/addresses/al@far.test")).doesNotContain("Unblock address");
            console.sends("/addresses/al@far.test", "do", "free").is(409);
            world.http().get("/v0/lists/send/block/al@far.test").is(200);
        }
        assertThat(console.page("/addresses/nobody@far.test")).contains("This address is not blocked");
    }

    @Test
    @Tag("long")
    void thePagesSayWhatEachPauseDoesAndWhatWasLost() {
        String page = "/inboxes/" + console.inbox();
        assertThat(console.page(page))
                .contains("Pause sending</button>", "Mail that arrives while the inbox is paused is lost");
        console.sends(page, "do", "pause-sending").is(303);
        assertThat(console.page(page)).contains("Sending is paused. Mail still comes in.");
        console.sends(page, "do", "resume-sending").is(303);
        console.sends(page, "do", "pause").is(303);
        world.mail("jo@shop.test", console.inbox(), "From: jo@shop.test\n\nLost\n");
        assertThat(console.page(page)).contains("Mail that arrives is lost", "1 message was lost");
        assertThat(console.page(page + "?tab=lost")).contains("jo@shop.test");
    }

    private void suppress(String address, Lists.Cause cause) {
        View all = View.of(world.organization());
        world.database().write(all.organization(), tx -> {
            Lists.suppress(tx, all, List.of(address), cause);
            return 0;
        });
    }
}
