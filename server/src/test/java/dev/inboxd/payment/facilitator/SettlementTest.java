package dev.inboxd.payment.facilitator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.net.TestCertificate;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the answers of a facilitator to a first attempt and to a repeat mean, over real sockets. */
class SettlementTest {
    private final FacilitatorFixture fixture = new FacilitatorFixture();
    private FakeEndpoint endpoint;

    @BeforeEach
    void start() {
        endpoint = FakeEndpoint.start();
    }

    @AfterEach
    void stop() throws IOException {
        endpoint.close();
        fixture.close();
    }

    private Settlement settle(FakeEndpoint.Behaviour answer, boolean repeat) {
        endpoint.then(answer);
        return fixture.facilitator(endpoint.url("/x402")).requestSettlement(FacilitatorFixture.QUESTION, repeat);
    }

    private static FakeEndpoint.Behaviour json(int status, String json) {
        return FakeEndpoint.respond(status, "Content-Type: application/json\r\n", quoted(json));
    }

    /** Texts of tests have other quotation marks than JSON. */
    private static String quoted(String text) {
        return text.replace('`', '"');
    }

    private static String failure(String reason) {
        return "{`success`:false,`errorReason`:`" + reason + "`,`errorMessage`:`text`,`transaction`:``,`network`:`n`}";
    }

    /** The outcome, and its word where it has one. */
    private static String shown(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Settled settled -> "settled " + settled.transaction();
            case Settlement.Refused refused -> "refused " + refused.reason();
            case Settlement.Unknown _ -> "unknown";
            case Settlement.NotSent _ -> "not sent";
        };
    }

    private void assertBoth(FakeEndpoint.Behaviour answer, String first, String repeat) {
        assertThat(shown(settle(answer, false)).strip()).isEqualTo(first);
        assertThat(shown(settle(answer, true)).strip()).isEqualTo(repeat);
    }

    @ParameterizedTest
    @CsvSource({"200", "201", "202", "400", "402", "404", "429", "500", "503"})
    void successIsSettledWhateverTheStatus(int status) {
        String json = "{`success`:true,`transaction`:`0xfeed`,`network`:`eip155:1`,`payer`:`0xAbC`}";
        assertBoth(json(status, json), "settled 0xfeed", "settled 0xfeed");
    }

    @Test
    void aSettlementHasItsPayerAndOfATransactionWhatIsOne() {
        assertThat(settle(json(200, "{`success`:true,`transaction`:`0xfeed`,`payer`:`0xAbC`}"), false))
                .isEqualTo(new Settlement.Settled("0xfeed", "0xAbC"));
        assertThat(settle(json(200, "{`success`:true,`transaction`:`<b>not</b> one`}"), false))
                .isEqualTo(new Settlement.Settled("", null));
    }

    @ParameterizedTest
    @CsvSource({"settlement_pending", "unexpected_settle_error"})
    void anOpenOutcomeIsUnknownWhateverTheStatus(String reason) {
        for (int status : new int[] {200, 202, 400, 429, 500}) {
            assertBoth(json(status, failure(reason)), "unknown", "unknown");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "invalid_exact_evm_nonce_already_used",
        "invalid_exact_evm_payload_authorization_nonce_already_used",
        "payment_already_settled",
        "permit2_invalid_nonce"
    })
    void aNonceThatIsUsedRefusesAFirstAttemptAndSettlesARepeat(String reason) {
        for (int status : new int[] {200, 400, 500}) {
            assertBoth(json(status, failure(reason)), "refused " + reason, "settled");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "invalid_exact_evm_payload_authorization_valid_before",
        "permit2_deadline_expired",
        "duplicate_settlement"
    })
    void aTimeThatIsOverRefusesAFirstAttemptAndSaysNothingOfARepeat(String reason) {
        for (int status : new int[] {200, 400, 500}) {
            assertBoth(json(status, failure(reason)), "refused " + reason, "unknown");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "insufficient_funds, insufficient_funds",
        "invalid_transaction_state, invalid_transaction_state",
        "Kein Geld <b>, refused"
    })
    void anotherReasonIsARefusal(String reason, String word) {
        for (int status : new int[] {200, 202, 400, 402, 500}) {
            assertBoth(json(status, failure(reason)), "refused " + word, "refused " + word);
        }
    }

    @Test
    void aFailureWithoutAReasonIsARefusalUnlessTheServiceItselfFailed() {
        String none = """
                {"success":false,"error":"timeout"}""";
        assertBoth(json(200, none), "refused refused", "refused refused");
        assertBoth(json(400, none), "refused refused", "refused refused");
        assertBoth(json(500, none), "unknown", "unknown");
        assertBoth(json(503, none), "unknown", "unknown");
    }

    @ParameterizedTest
    @CsvSource({"400", "401", "403", "404", "405", "409", "413", "422", "429"})
    void aStatusThatRefusesTheRequestItselfIsNotSentOnce(int status) {
        assertBoth(FakeEndpoint.status(status), "not sent", "unknown");
        assertBoth(FakeEndpoint.respond(status, "", "<html>no</html>"), "not sent", "unknown");
        assertBoth(json(status, """
                {"error":"unauthorized"}"""), "not sent", "unknown");
    }

    @Test
    void tooManyRequestsIsNotSentWhateverItSays() {
        assertBoth(json(429, failure("rate_limited")), "not sent", "unknown");
        assertBoth(json(429, failure("permit2_invalid_nonce")), "not sent", "unknown");
    }

    @ParameterizedTest
    @CsvSource({"200", "202", "204", "301", "302", "307", "308", "500", "502", "503", "504"})
    void anythingElseWithoutAnAnswerToTheQuestionIsUnknown(int status) {
        assertBoth(
                FakeEndpoint.respond(status, "Location: " + endpoint.url("/other") + "\r\n", ""), "unknown", "unknown");
        assertThat(endpoint.take().path()).isEqualTo("/x402/settle");
        assertThat(endpoint.take().path()).isEqualTo("/x402/settle");
        assertThat(endpoint.received()).as("no redirect is followed").isEmpty();
    }

    @Test
    void whatIsNoSuchJsonIsUnknown() {
        for (String text : new String[] {
            "",
            "[]",
            "true",
            "{",
            "{`success`:`true`}",
            "{`success`:1}",
            "{`success`:null}",
            "{`settled`:true}",
            "{`success`:true,`success`:false}"
        }) {
            assertBoth(json(200, text), "unknown", "unknown");
        }
    }

    @Test
    void anAnswerThatIsTooLargeIsUnknownWhateverItSays() {
        String large = """
                {"success":true,"transaction":"0x1","more":"%s"}""".formatted("x".repeat(ServiceClient.MOST_ANSWER));
        for (int status : new int[] {200, 400, 404, 500}) {
            assertBoth(json(status, large), "unknown", "unknown");
        }
        assertBoth(
                endpoint.endless(
                        "HTTP/1.1 400 No\r\n\r\n" + quoted("{`success`:false,`errorReason`:`"),
                        "x".repeat(4096),
                        Duration.ofMillis(1)),
                "unknown",
                "unknown");
    }

    @Test
    void anAnswerThatIsCutOffIsUnknown() {
        String whole = quoted("{`success`:false,`errorReason`:`insufficient_funds`}");
        String head = "HTTP/1.1 200 OK\r\nContent-Length: " + (whole.length() + 1) + "\r\n\r\n";
        assertBoth(FakeEndpoint.raw(head + whole), "unknown", "unknown");
        assertBoth(FakeEndpoint.reset(head + whole), "unknown", "unknown");
        assertBoth(
                FakeEndpoint.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n34\r\n" + whole),
                "unknown",
                "unknown");
        assertBoth(FakeEndpoint.raw("HTTP/1.1 200"), "unknown", "unknown");
        assertBoth(FakeEndpoint.raw("220 mail.example ESMTP\r\n"), "unknown", "unknown");
    }

    @Test
    void aConnectionThatEndsAfterTheRequestIsUnknown() {
        assertBoth(FakeEndpoint.hangUp(), "unknown", "unknown");
        assertBoth(FakeEndpoint.reset(""), "unknown", "unknown");
    }

    @Test
    @Tag("long")
    void noAnswerInTimeIsUnknown() {
        endpoint.always(endpoint.hang());
        FacilitatorClient client =
                new FacilitatorClient(fixture.service(endpoint.url("/x402"), FacilitatorFixture.SHORT));
        assertThat(shown(client.requestSettlement(FacilitatorFixture.QUESTION, false)))
                .isEqualTo("unknown");
        assertThat(shown(client.requestSettlement(FacilitatorFixture.QUESTION, true)))
                .isEqualTo("unknown");
        endpoint.always(endpoint.endless("HTTP/1.1 200 OK\r\n\r\n", " ", Duration.ofMillis(50)));
        assertThat(shown(client.requestSettlement(FacilitatorFixture.QUESTION, false)))
                .isEqualTo("unknown");
    }

    @Test
    void aPortThatNobodyListensAtIsNotSentOnce() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        assertUnsent("http://127.0.0.1:" + port);
    }

    @Test
    void aHostThatIsNoneIsNotSentOnce() {
        assertUnsent("http://nowhere.example/x402");
        assertUnsent("http://a.b.c.d.1/x402");
    }

    @Test
    void aServerWithoutTlsIsNotSentOnce() {
        // The first octets are no HTTP: the endpoint reads them as a line that never ends.
        assertUnsent(endpoint.url("/x402").replace("http://", "https://"));
    }

    @Test
    void aCertificateThatNobodyVouchesForIsNotSentOnce(@TempDir Path folder)
            throws IOException, InterruptedException, GeneralSecurityException {
        TestCertificate certificate = TestCertificate.of(folder, "dns:facilitator.example");
        try (FakeEndpoint secured = FakeEndpoint.start(certificate.server())) {
            assertUnsent(secured.url("facilitator.example", "/x402"));
            assertUnsent(secured.url("/x402"));
            assertThat(secured.received()).isEmpty();
        }
    }

    private void assertUnsent(String url) {
        PaymentJudge client = new FacilitatorClient(fixture.service(url, FacilitatorFixture.SHORT));
        assertThat(shown(client.requestSettlement(FacilitatorFixture.QUESTION, false)))
                .isEqualTo("not sent");
        assertThat(shown(client.requestSettlement(FacilitatorFixture.QUESTION, true)))
                .isEqualTo("unknown");
        assertThat(client.verify(FacilitatorFixture.QUESTION)).isInstanceOf(PaymentVerdict.Unreachable.class);
    }

    @Test
    void whoFindsNoPlaceInTimeIsNotSent() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        endpoint.always(FakeEndpoint.after(latch, json(200, "{`success`:true,`transaction`:`0x1`}")));
        ServiceLimits few =
                new ServiceLimits(2, Duration.ofMillis(200), Duration.ofSeconds(20), Duration.ofSeconds(20));
        FacilitatorClient client = new FacilitatorClient(fixture.service(endpoint.url("/x402"), few));
        Thread[] calls = new Thread[2];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = Thread.ofVirtual().start(() -> client.requestSettlement(FacilitatorFixture.QUESTION, false));
        }
        endpoint.take();
        endpoint.take();
        assertThat(client.requestSettlement(FacilitatorFixture.QUESTION, false))
                .isEqualTo(new Settlement.NotSent("2 calls of the service are under way"));
        assertThat(client.verify(FacilitatorFixture.QUESTION))
                .isEqualTo(new PaymentVerdict.Unreachable("2 calls of the service are under way"));
        latch.countDown();
        for (Thread call : calls) {
            call.join();
        }
        assertThat(shown(client.requestSettlement(FacilitatorFixture.QUESTION, false)))
                .isEqualTo("settled 0x1");
    }
}
