package dev.inboxd.payment;

import static dev.inboxd.payment.PayerProbe.inbox;
import static dev.inboxd.testing.Eventually.value;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.DatabaseProxy;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The way to the database breaks at each step of a paid call (payments.md §8): what was paid is what there is. */
class PaymentInterruptionsHttpTest {
    private static final int CALLS = TestSize.of(24, 200);
    /** More than a paid call sends to the database. */
    private static final int STEPS = 50;

    private final LedgerFacilitator facilitator = new LedgerFacilitator();
    private final DatabaseProxy way = new DatabaseProxy();
    private World world;
    private PayerProbe payer;

    @BeforeEach
    void start() {
        world = World.start(
                Map.of("INBOXD_X402_HOST", "x402.localhost", "INBOXD_X402_FACILITATOR", facilitator.url()),
                way::before);
        payer = new PayerProbe(world.httpPort(), "x402.localhost");
        payer.pay("POST", "/v0/inboxes", inbox("first")).is(200);
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        way.close();
        facilitator.close();
    }

    /** A call with its payment. */
    private record PaidCall(String body, String payment) {}

    @Test
    @Proves("P24")
    void whatWasPaidIsWhatThereIs() {
        IntFunction<Object> name = round -> "round " + round;
        List<PaidCall> unanswered = new ArrayList<>();
        for (int round = 0; round < CALLS; round++) {
            String body = json("name", name.apply(round));
            PaidCall call = new PaidCall(body, payer.signed("POST", "/v0/pods", body));
            way.breakAfter(round % STEPS);
            Answer answer = answer(call);
            way.breakAfter(-1);
            assertThat(answer.status()).as(answer.text()).isIn(200, 409, 503);
            if (answer.status() != 200) {
                unanswered.add(call);
            }
        }
        assertThat(unanswered).hasSizeGreaterThan(STEPS / 5);
        unanswered.forEach(call -> value(() -> status(call), "200"::equals));
        assertThat(facilitator.ledger()).hasSize(CALLS + 1);
        List<Object> made = all("pods", "name");
        made.remove("Default Pod");
        assertThat(made)
                .hasSize(CALLS)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, CALLS).mapToObj(name).toList());
        assertThat(all("payments", "status")).hasSize(CALLS + 1).containsOnly("settled");
    }

    private List<Object> all(String list, String member) {
        List<Object> values = new ArrayList<>();
        String token = "";
        do {
            Answer page =
                    payer.pay("GET", "/v0/" + list + "?limit=100" + token, "").is(200);
            for (Object each : page.list(list)) {
                values.add(String.valueOf(((Map<?, ?>) each).get(member)));
            }
            token = page.at("next_page_token") == null ? "" : "&page_token=" + page.text("next_page_token");
        } while (!token.isEmpty());
        return values;
    }

    private String status(PaidCall call) {
        Answer answer = answer(call);
        return answer.status() == 200 ? "200" : answer.text();
    }

    private Answer answer(PaidCall call) {
        return payer.call("POST", "/v0/pods", call.body, call.payment);
    }
}
