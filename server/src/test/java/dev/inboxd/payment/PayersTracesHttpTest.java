package dev.inboxd.payment;

import static dev.inboxd.payment.PayerProbe.inbox;
import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.payment.LedgerFacilitator.Fault;
import dev.inboxd.server.World;
import dev.inboxd.testing.Exposition;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an account did is in the audit log, in traces and in the meters; its human answers for it (payments.md §12). */
class PayersTracesHttpTest {
    private static final String HOST = "x402.localhost";
    private static final String HUMAN = "ann@far.test";

    private final LedgerFacilitator facilitator = new LedgerFacilitator();
    private World world;
    private PayerProbe payer;

    @BeforeEach
    void start() {
        world = World.start(Map.of("INBOXD_X402_HOST", HOST, "INBOXD_X402_FACILITATOR", facilitator.url()));
        payer = new PayerProbe(world.httpPort(), HOST);
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        facilitator.close();
    }

    @Test
    void aHumanIsAttachedOnceAndOnlyByTheCode() {
        payer.pay("POST", "/v0/inboxes", inbox("first")).is(200);
        payer.pay("POST", "/v0/agent/verify", json("otp_code", "123456")).is(400);
        payer.pay("POST", "/v0/agent/human", json("human_email", HUMAN)).is(200);
        assertThat(payer.pay("GET", "/v0/organizations", "").is(200).at("human_email"))
                .isNull();
        String code = code();
        String wrong = code.equals("000000") ? "000001" : "000000";
        assertThat(payer.pay("POST", "/v0/agent/verify", json("otp_code", wrong))
                        .is(400)
                        .text())
                .contains("attempts left: 9");
        payer.pay("POST", "/v0/agent/human", json("human_email", "bob@far.test"))
                .is(200);
        payer.pay("POST", "/v0/agent/human", json("human_email", HUMAN)).is(200);
        payer.pay("POST", "/v0/agent/verify", json("otp_code", code)).is(400); // the one before is void
        String second = code();
        assertThat(payer.pay("POST", "/v0/agent/verify", json("otp_code", second))
                        .is(200)
                        .at("verified"))
                .isEqualTo(true);
        payer.pay("POST", "/v0/agent/human", json("human_email", "bob@far.test"))
                .is(403);
        payer.pay("POST", "/v0/agent/verify", json("otp_code", second)).is(403);
        String session = session();
        assertThat(world.as(session).get("/v0/organizations").is(200).at("human_email"))
                .isEqualTo(HUMAN);
        Answer log = world.as(session).get("/v0/audit-log").is(200);
        List<String> entries = log.list("entries").stream().map(String::valueOf).toList();
        assertThat(entries)
                .anyMatch(entry -> entry.contains("organization.created")
                        && entry.contains(payer.account())
                        && entry.contains("payment_id="))
                .anyMatch(entry -> entry.contains("inbox.created")
                        && entry.contains("type=payer")
                        && entry.contains("payment_id="))
                .anyMatch(entry -> entry.contains("organization.human_changed"));
    }

    /** The payment comes first, and the approval afterwards; a rejection pays nothing back. */
    @Test
    void mailOfAnAccountWaitsForItsHuman() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("asks")).is(200).text("inbox_id");
        payer.pay("POST", "/v0/agent/human", json("human_email", HUMAN)).is(200);
        payer.pay("POST", "/v0/agent/verify", json("otp_code", code())).is(200);
        HttpProbe human = world.as(session());
        human.patch("/v0/inboxes/" + box, json("send_approval", "required")).is(200);
        String path = "/v0/inboxes/" + box + "/messages/send";
        List<String> drafts = new ArrayList<>();
        for (String subject : List.of("yes", "no")) {
            Answer waits = payer.pay("POST", path, json("to", HUMAN, "subject", subject, "text", "t"))
                    .is(200);
            assertThat(waits.at("status")).isEqualTo("awaiting_approval");
            assertThat(waits.header("PAYMENT-RESPONSE")).isNotNull();
            drafts.add("/v0/inboxes/" + box + "/drafts/" + waits.text("draft_id"));
        }
        payer.pay("POST", drafts.getFirst() + "/approve", seen(human, drafts.getFirst()))
                .is(403);
        human.post(drafts.getFirst() + "/approve", seen(human, drafts.getFirst()))
                .is(200);
        human.post(drafts.getLast() + "/reject", seen(human, drafts.getLast())).is(200);
        assertThat(payer.pay("GET", "/v0/inboxes/" + box + "/messages", "")
                        .is(200)
                        .at("messages.0.subject"))
                .isEqualTo("yes");
        assertThat(facilitator.ledger()).hasSize(3);
    }

    private static String seen(HttpProbe human, String draft) {
        return json("updated_at", human.get(draft).is(200).text("updated_at"));
    }

    @Test
    void aTraceNamesThePayerAndThePayment() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("trace")).is(200).text("inbox_id");
        Answer sent = payer.pay(
                        "POST", "/v0/inboxes/" + box + "/messages/send", json("to", HUMAN, "subject", "s", "text", "t"))
                .is(200);
        String path = "/v0/inboxes/" + box + "/messages/"
                + URLEncoder.encode(sent.text("message_id"), StandardCharsets.UTF_8);
        payer.pay("PATCH", path, json("add_labels", List.of("done"))).is(200);
        await(() -> payer.pay("GET", path + "/trace", "").is(200).at("calls.1.payer") != null);
        Answer trace = payer.pay("GET", path + "/trace", "").is(200);
        assertThat(trace.at("calls.0.payer")).isEqualTo(payer.account());
        assertThat(trace.at("calls.0.payment_id"))
                .isEqualTo(payer.pay("GET", "/v0/payments", "").is(200).at("payments.0.payment_id"));
        assertThat(trace.at("calls.0.api_key_id")).isNull();
        assertThat(trace.at("calls.1.method")).isEqualTo("PATCH");
        assertThat(trace.at("calls.1.payment_id")).isNull();
    }

    @Test
    @Tag("long")
    void whatWasPaidIsCounted() {
        String payment = payer.signed("POST", "/v0/inboxes", inbox("counted"));
        payer.call("POST", "/v0/inboxes", inbox("counted"), payment).is(200);
        payer.call("POST", "/v0/inboxes", inbox("counted"), payment).is(200);
        facilitator.next(Fault.REFUSED);
        payer.pay("POST", "/v0/pods", json("name", "p")).is(402);
        payer.pay("GET", "/v0/inboxes", "").is(200);
        facilitator.next(Fault.PENDING, Fault.PENDING, Fault.PENDING);
        payer.pay("POST", "/v0/pods", json("name", "q")).is(409);
        Exposition read =
                Exposition.read(world.anonymous().get("/metrics").is(200).text());
        assertThat(read.value("inboxd_payment_challenges_total", "variant", "x402"))
                .isEqualTo(4);
        assertThat(payments(read, "settled")).isEqualTo(1);
        assertThat(payments(read, "replayed")).isEqualTo(1);
        assertThat(payments(read, "refused")).isEqualTo(1);
        assertThat(payments(read, "unknown")).isEqualTo(1);
        assertThat(read.value("inboxd_payment_proofs_total", "variant", "x402", "outcome", "taken"))
                .isEqualTo(1);
        assertThat(read.value("inboxd_payment_units_total", "network", "eip155:84532"))
                .isEqualTo(2_000_000);
        assertThat(read.sum("inboxd_payments_open")).isEqualTo(1);
        assertThat(read.sum("inboxd_payments_owed")).isZero();
        assertThat(read.value("inboxd_facilitator_seconds_count", "call", "settle", "outcome", "ok"))
                .isEqualTo(3);
    }

    @Test
    void theDescriptionOfAHostSaysWhatEachCallWants() {
        Answer described = payer.free("GET", "/openapi.json", "").is(200);
        Map<?, ?> paths = members(described.at("paths"));
        assertThat(paths.containsKey("/v0/inboxes")).isTrue();
        assertThat(paths.containsKey("/v0/agent/sign-up")).isFalse();
        assertThat(paths.containsKey("/console/session")).isFalse();
        assertThat(described.text("servers.0.url")).contains(HOST);
        Map<?, ?> create = members(members(paths.get("/v0/inboxes")).get("post"));
        assertThat(create.get("x-payment-info"))
                .isEqualTo(Map.of(
                        "offers",
                        List.of(Map.of(
                                "scheme",
                                "exact",
                                "network",
                                "eip155:84532",
                                "amount",
                                "2000000",
                                "asset",
                                "0x036CbD53842c5426634e7929541eC2318f3dCF7e"))));
        assertThat(members(create.get("responses")).containsKey("402")).isTrue();
        Map<?, ?> plain = members(world.http().get("/openapi.json").is(200).at("paths"));
        assertThat(plain.containsKey("/v0/agent/sign-up")).isTrue();
    }

    private static Map<?, ?> members(@Nullable Object json) {
        return (Map<?, ?>) Objects.requireNonNull(json);
    }

    private static double payments(Exposition read, String outcome) {
        return read.value("inboxd_payments_total", "variant", "x402", "network", "eip155:84532", "outcome", outcome);
    }

    private String code() {
        return world.letters(HUMAN)
                .getLast()
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{6}"))
                .findFirst()
                .orElseThrow();
    }

    private String session() {
        int known = world.letters(HUMAN).size();
        world.anonymous().post("/console/sign-in", json("human_email", HUMAN)).is(200);
        String code = world.lettersSince(HUMAN, known)
                .getLast()
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{6}"))
                .findFirst()
                .orElseThrow();
        return Objects.requireNonNull(world.anonymous()
                .post("/console/session", json("human_email", HUMAN, "code", code))
                .is(200)
                .text("session_token"));
    }
}
