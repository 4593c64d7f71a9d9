package dev.inboxd.account.session;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.account.signup.CodeRequest;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.server.World;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.testing.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nobody learns by the time of an answer who has an account (ruling 170). */
@Tag("alone")
class SignInTimeHttpTest {
    private static final int MEASUREMENTS = 3;
    private static final int TURNS = 20;
    private static final int WARM_UP = 5;

    @RegisterExtension
    private static final World world = World.start();

    private static String human;

    @BeforeAll
    static void start() {
        human = "known-" + Uuid7.next() + "@people.test";
        world.database().<Boolean>writeGlobal(tx -> OrganizationHumans.claim(tx, human, world.organization()));
    }

    private static long timed(String path, String address, String rest, int status) {
        long start = System.nanoTime();
        world.anonymous().post(path, """
                {"human_email":"%s"%s}""".formatted(address, rest)).is(status);
        return System.nanoTime() - start;
    }

    /** Measured again when it is not so: a difference is in every measurement, what disturbs one is not. */
    private static void assertSameTime(double most, LongSupplier one, LongSupplier other) {
        double ratio = ratio(one, other);
        for (int more = 1; more < MEASUREMENTS && ratio >= most; more++) {
            ratio = Math.min(ratio, ratio(one, other));
        }
        assertThat(ratio).isLessThan(most);
    }

    /** How many times as long the slower of two takes, by their medians; they take turns, behind some of each. */
    private static double ratio(LongSupplier one, LongSupplier other) {
        List<Long> first = new ArrayList<>();
        List<Long> second = new ArrayList<>();
        for (int turn = 0; turn < WARM_UP + TURNS; turn++) {
            first.add(one.getAsLong());
            second.add(other.getAsLong());
        }
        double a = median(first);
        double b = median(second);
        return Math.max(a, b) / Math.min(a, b);
    }

    private static long median(List<Long> times) {
        return times.stream().skip(WARM_UP).sorted().skip(TURNS / 2).findFirst().orElseThrow();
    }

    private static String stranger() {
        return "unknown-" + Uuid7.next() + "@people.test";
    }

    @Test
    @Proves("A30a")
    void aCodeIsAskedForInTheSameTimeWhetherSomebodyIsBehindTheAddressOrNot() {
        assertSameTime(
                1.5,
                () -> timed("/console/sign-in", human, "", 200),
                () -> timed("/console/sign-in", stranger(), "", 200));
    }

    /** What an answer does not wait for cannot be seen in its time. */
    @Test
    @Proves("A30a")
    void theAnswerDoesNotWaitForTheWork() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(2);
        try (CodeRequests requests = new CodeRequests(_ -> {
            try {
                end.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            done.countDown();
        })) {
            requests.add(new CodeRequest(human, "192.0.2.1"));
            requests.add(new CodeRequest(stranger(), "192.0.2.1"));
            assertThat(done.getCount()).isEqualTo(2);
            end.countDown();
        }
        assertThat(done.getCount()).as("what was asked for is done at the end").isZero();
    }

    @Test
    @Proves("A30a")
    void aWrongCodeIsRefusedInTheSameTime() {
        long before = world.letters(human).size();
        world.anonymous().post("/console/sign-in", json("human_email", human)).is(200);
        world.lettersSince(human, (int) before);
        assertSameTime(
                1.2,
                () -> timed("/console/session", human, "," + members("code", "000000"), 400),
                () -> timed("/console/session", stranger(), "," + members("code", "000000"), 400));
    }
}
