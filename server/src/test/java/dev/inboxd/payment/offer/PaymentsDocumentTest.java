package dev.inboxd.payment.offer;

import static dev.inboxd.payment.offer.PaymentFixture.ROUTES;
import static dev.inboxd.payment.offer.PaymentFixture.USE;
import static dev.inboxd.payment.offer.PaymentFixture.fault;
import static dev.inboxd.payment.offer.PaymentFixture.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.payment.offer.PaymentsUse.FacilitatorKind;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a payments file may say, and what is told of one that is wrong: the file, the line and the member. */
class PaymentsDocumentTest {
    private static final String WHOLE = """
            x402:
              accepts:
                - network: eip155:8453
                  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
                  decimals: 6
                  pay_to: "0x00000000000000000000000000000000000000Aa"
                  extra: {name: USD Coin, version: "2"}
                  scheme: exact
                  max_timeout_seconds: 60
                - network: solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp
                  asset: EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
                  decimals: 6
                  pay_to: 9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM
            mpp:
              methods:
                - method: evm
                  verifier: facilitator
                  currency: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
                  recipient: "0x00000000000000000000000000000000000000Aa"
                  decimals: 6
                  details: {chainId: 8453, credentialTypes: [authorization]}
                  extra: {name: USD Coin, version: "2"}
                - method: tempo
                  verifier: https://verifier.example.com/mpp
                  verifier_headers: {authorization: "Bearer secret-of-the-verifier"}
                  currency: "0x20c0000000000000000000000000000000000000"
                  recipient: "0x00000000000000000000000000000000000000Aa"
                  decimals: 6
                  details: {chainId: 4217}
            prices:
              default: 0.000001
              routes:
                POST /v0/inboxes: 0.50
                GET /v0/threads: 0
            """;

    @Test
    void aFileHasOffersMethodsAndPrices() {
        PaymentTerms terms = read(WHOLE, new PaymentsUse(ROUTES, true, true, FacilitatorKind.OPERATOR, true));
        assertThat(terms.x402()).hasSize(2);
        ExactOffer first = terms.x402().getFirst();
        assertThat(Json.text(first.accepted(new Price(500_000), Map.of()))).isEqualTo("""
                {"scheme":"exact","network":"eip155:8453","amount":"500000",\
                "asset":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",\
                "payTo":"0x00000000000000000000000000000000000000Aa","maxTimeoutSeconds":60,\
                "extra":{"name":"USD Coin","version":"2"}}""");
        assertThat(terms.x402().getLast().maxTimeoutSeconds()).isEqualTo(300);
        ChargeMethod evm = terms.method("evm").orElseThrow();
        assertThat(evm.details()).isEqualTo(Map.of("chainId", 8453L, "credentialTypes", List.of("authorization")));
        assertThat(evm.asExact().network()).isEqualTo("eip155:8453");
        assertThat(evm.asExact().extra()).isEqualTo(Map.of("name", "USD Coin", "version", "2"));
        ChargeMethod tempo = terms.method("tempo").orElseThrow();
        assertThat(tempo.verifier())
                .isEqualTo(new ChargeMethod.Verifier.Url(
                        URI.create("https://verifier.example.com/mpp"),
                        Map.of("authorization", "Bearer secret-of-the-verifier")));
        assertThat(terms.toString()).doesNotContain("secret-of-the-verifier");
        assertThat(terms.prices().of("POST", "/v0/inboxes")).isEqualTo(new Price(500_000));
        assertThat(terms.prices().of("POST", "/v0/pods/{pod_id}/inboxes")).isEqualTo(new Price(2_000_000));
        assertThat(terms.prices().of("GET", "/v0/threads")).isEqualTo(Price.FREE);
        assertThat(terms.prices().of("GET", "/v0/inboxes")).isEqualTo(new Price(1));
        assertThat(terms.prices().of("GET", "/v0")).isEqualTo(Price.FREE);
    }

    @Test
    void whatTheFacilitatorSaysOfANetworkIsUnderWhatTheFileSays() {
        ExactOffer solana = read(WHOLE, USE).x402().getLast();
        assertThat(solana.lacks(Map.of())).isTrue();
        assertThat(solana.lacks(Map.of("feePayer", "F"))).isFalse();
        assertThat(solana.accepted(Price.FREE, Map.of("feePayer", "F")).get("extra"))
                .isEqualTo(Map.of("feePayer", "F"));
        ExactOffer evm = read(WHOLE, USE).x402().getFirst();
        assertThat(evm.lacks(Map.of())).isFalse();
        assertThat(evm.accepted(Price.FREE, Map.of("name", "other", "more", 1L), 3_600))
                .containsEntry("maxTimeoutSeconds", 3_600L)
                .containsEntry("amount", "0")
                .containsEntry("extra", Map.of("name", "USD Coin", "version", "2", "more", 1L));
    }

    private static final String OFFER = """
            x402:
              accepts:
                - {network: 'eip155:1', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6,
                   pay_to: '0x00000000000000000000000000000000000000aa', extra: {name: N, version: '2'}}
            """;

    private static final String METHOD = """
            mpp:
              methods:
                - {method: evm, verifier: facilitator, currency: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
                   recipient: '0x00000000000000000000000000000000000000aa', decimals: 6,
                   details: {chainId: 1}, extra: {name: N, version: '2'}}
            """;

    private static void assertFault(String yaml, String fault) {
        // Texts of tests have other quotation marks than messages.
        assertThat(fault(yaml, USE)).isEqualTo("payments file pay.yaml:" + fault.replace('`', '"'));
    }

    private static void assertOffer(String from, String to, int line, String fault) {
        assertThat(OFFER).contains(from);
        assertThat(fault(OFFER.replace(from, to), USE))
                .startsWith("payments file pay.yaml:" + line + ": x402.accepts[0]." + fault);
    }

    private static void assertMethod(String from, String to, int line, String fault) {
        assertThat(METHOD).contains(from);
        assertThat(fault(METHOD.replace(from, to), USE))
                .startsWith("payments file pay.yaml:" + line + ": mpp.methods[0]." + fault);
    }

    @Test
    void aFaultOfAnOfferHasFileLineAndMember() {
        assertThat(fault(OFFER, USE)).isEqualTo("none");
        String network = "network: this is no network in CAIP-2 form, such as eip155:8453";
        for (String wrong : List.of("EIP155:1", "eip155:0x1", "eip155:01", "eip155:", "base", "a b:c")) {
            assertOffer("eip155:1", wrong, 3, network);
        }
        assertOffer("02913'", "0291'", 3, "asset: this is no address of eip155:1");
        assertOffer("00aa'", "00zz'", 4, "pay_to: this is no address of eip155:1");
        assertOffer("'0x0000", "'1x0000", 4, "pay_to: this is no address of eip155:1");
        assertOffer("eip155:1", "solana:abc", 3, "asset: this is no address of solana:abc");
        assertOffer("decimals: 6", "decimals: 37", 3, "decimals: decimals must be a whole number from 0 to 36");
        assertOffer("decimals: 6", "decimals: six", 3, "decimals: decimals must be a whole number from 0 to 36");
        assertOffer(", decimals: 6", "", 3, "decimals: decimals is required");
        assertOffer("'2'", "2", 4, "extra.version: a network that begins eip155: needs it as a text; write \"2\"");
        assertOffer("name: N, ", "", 4, "extra.name: a network that begins eip155: needs it as a text");
        assertOffer("name: N", "name: ''", 4, "extra.name: a network that begins eip155: needs it as a text");
        assertOffer("name: N,", "more: , name: N,", 4, "extra.more: it has no value");
        assertOffer("{name: N, version: '2'}", "yes", 4, "extra: extra must have names with values");
        assertOffer("name: N", "name: " + "N".repeat(1024), 4, "extra: extra must have at most 1,024 characters");
        assertOffer("decimals", "scheme: upto, decimals", 3, "scheme: exact is the only scheme");
        String seconds = "max_timeout_seconds: max_timeout_seconds must be a whole number from 60 to 3600";
        assertOffer("decimals", "max_timeout_seconds: 59, decimals", 3, seconds);
        assertOffer("decimals", "max_timeout_seconds: 3601, decimals", 3, seconds);
        assertOffer("decimals", "payee: x, decimals", 3, "payee: payee is no member of an offer; it has scheme, ");
    }

    @Test
    void aFaultOfAMethodHasFileLineAndMember() {
        assertThat(fault(METHOD, USE)).isEqualTo("none");
        assertMethod("method: evm", "method: Evm", 3, "method: the name of a method has the letters a to z alone");
        assertMethod("method: evm", "method: tempo", 3, "verifier: a facilitator verifies the method evm alone");
        assertMethod("facilitator", "verifier", 3, "verifier: it is \"verifier\", which is not an http:// or https://");
        assertMethod("facilitator", "ftp://a.example/", 3, "verifier: it is \"ftp://a.example/\", which is not");
        assertMethod("chainId: 1", "chainId: one", 5, "details.chainId: it must be a whole number, such as 8453");
        assertMethod(
                "chainId: 1",
                "chainId: 1, credentialTypes: [permit2]",
                5,
                "details.credentialTypes: a facilitator verifies [authorization] alone");
        assertMethod("'2'", "2", 5, "extra.version: a method of the facilitator's needs it as a text");
        assertMethod("00aa'", "00'", 4, "recipient: this is no address of eip155:1");
        assertMethod(
                "decimals: 6", "decimals: 6, verifier_headers: {a: b}", 4, "verifier_headers: they are for a verifier");
        String url = METHOD.replace("facilitator", "'https://v.example/mpp'");
        for (String name : List.of("Host", "content-length", "a b")) {
            assertThat(fault(
                            url.replace("decimals: 6", "decimals: 6, verifier_headers: {'" + name + "': s3cret}"), USE))
                    .contains("this is no header field that may be set")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void aFaultOfAPriceHasFileLineAndMember() {
        assertFault("""
                prices:
                  routes:
                    POST /v0/inbox: 1
                """, "3: prices.routes.`POST /v0/inbox`: no such route; did you mean POST /v0/inboxes?");
        assertFault("""
                prices:
                  routes:
                    post /v0/inboxes: 1
                """, "3: prices.routes.`post /v0/inboxes`: no such route; did you mean POST /v0/inboxes?");
        assertFault("""
                prices:
                  routes:
                    POST /v0/inboxes: 1

                    POST /v0/inboxes: 2
                """, "5: POST /v0/inboxes appears twice");
        String form = "a price is a number of US dollars with at most 6 decimals, up to 1000000, such as 0.01";
        for (String wrong : List.of("0.0000001", "-1", "free", "1000001", "1e3", "true")) {
            assertFault(
                    "prices:\n  default: 0\n  routes:\n    POST /v0/inboxes: " + wrong + "\n",
                    "4: prices.routes.`POST /v0/inboxes`: " + form);
            assertFault("prices:\n  default: " + wrong + "\n", "2: prices.default: " + form);
        }
        assertFault("""
                prices:
                  routes:
                    GET /v0: 0.01
                """, """
                3: prices.routes."GET /v0": a socket costs nothing: clients connect again with the proof that they \
                have""");
        assertThat(fault("prices:\n  routes:\n    GET /v0: 0\n", USE)).isEqualTo("none");
        assertFault("prices:\n  routes:\n    POST /v0/pods:\n", "3: prices.routes.`POST /v0/pods`: it has no price");
        assertFault(
                "prices:\n  routes: [1]\n",
                "2: prices.routes: routes must have prices by routes," + " as in POST /v0/inboxes: 2.00");
        assertFault(
                "prices:\n  defaults: 1\n",
                "2: prices.defaults: defaults is no member of prices;" + " it has default, routes");
    }

    @Test
    void aPriceThatIsNoWholeNumberOfUnitsIsAFaultOfItsLine() {
        String coarse = OFFER.replace("decimals: 6", "decimals: 2");
        assertThat(fault(coarse, USE)).isEqualTo("none");
        assertFault(
                coarse + "prices: {routes: {POST /v0/api-keys: 0.001}}\n",
                "5: prices.routes.`POST /v0/api-keys`: 0.001 is no whole number of the units of an asset with"
                        + " 2 decimals");
        assertFault(
                coarse + "prices:\n  default: 0.001\n",
                "6: prices.default: 0.001 is no whole number of the units of an asset with 2 decimals");
        assertThat(fault(OFFER.replace("decimals: 6", "decimals: 1"), USE))
                .startsWith("payments file pay.yaml:3: x402.accepts[0].decimals: the price of POST /v0/")
                .contains("0.01 is no whole number of the units of an asset with 1 decimals");
    }

    @Test
    void aFileThatIsNoneIsAFault() {
        assertFault("a: [", "1: this is not YAML: expected the node content, but found '<stream end>'");
        assertFault("", " it must have x402, mpp or prices");
        assertFault("[]", " it must have x402, mpp or prices");
        assertFault("offers: {}\n", "1: offers: offers is no member of the file; it has x402, mpp, prices");
        assertFault("x402: {accepts: {}}\n", "1: x402.accepts: accepts must be a list of objects");
        assertFault("x402: {offers: []}\n", "1: x402.offers: offers is no member of x402; it has accepts");
        assertThat(fault("x402: {accept: 1}\nmpp: {method: 1}\n", USE)).contains(":1: x402.", "; ", ":2: mpp.");
    }

    @Test
    void anEntryIsThereOnce() {
        String entry = OFFER.substring(OFFER.indexOf("    - ")).replace("833589f", "833589F");
        assertFault(OFFER + entry, "5: x402.accepts[1].asset: another offer has this network and asset");
        String method = METHOD.substring(METHOD.indexOf("    - "));
        assertFault(METHOD + method, "6: mpp.methods[1].method: another entry has this method");
    }

    @Test
    void theOffersOfACallFitIntoOneHeaderField() {
        StringBuilder many = new StringBuilder(OFFER);
        for (int i = 2; i < 8; i++) {
            many.append(OFFER.substring(OFFER.indexOf("    - "))
                    .replace("eip155:1", "eip155:" + i)
                    .replace("name: N", "name: " + "N".repeat(800)));
        }
        assertFault(
                many.toString(),
                "2: x402.accepts: the offers have more than 4,096 characters, too many for one header");
    }

    @Test
    void theMethodsOfACallFitIntoOneHeader() {
        StringBuilder many = new StringBuilder(METHOD);
        for (char letter = 'a'; letter < 'g'; letter++) {
            many.append("    - method: ")
                    .append(letter)
                    .append("\n      verifier: https://verifier.test/\n      currency: c\n      recipient: r\n")
                    .append("      decimals: 6\n      details: {note: ")
                    .append("n".repeat(800))
                    .append("}\n");
        }
        assertFault(
                many.toString(),
                "2: mpp.methods: the methods have more than 4,096 characters, too many for one header");
    }

    @Test
    void aVariantThatIsOnNeedsAnOffer() {
        PaymentsUse both = new PaymentsUse(ROUTES, true, true, FacilitatorKind.OPERATOR, true);
        assertThat(fault("prices: {default: 0}\n", both))
                .isEqualTo("payments file pay.yaml:1: x402.accepts: INBOXD_X402_HOST is set, so the file must have an"
                        + " offer here; payments file pay.yaml:1: mpp.methods: INBOXD_MPP_HOST is set, so the file must"
                        + " have a method here");
        assertThat(fault("prices: {default: 0}\n", USE)).isEqualTo("none");
    }

    @Test
    void aMethodOfTheFacilitatorsNeedsOne() {
        PaymentsUse none = new PaymentsUse(ROUTES, false, true, FacilitatorKind.NONE, true);
        assertThat(fault(METHOD, none))
                .isEqualTo("payments file pay.yaml:3: mpp.methods[0].verifier: INBOXD_X402_FACILITATOR is not set;"
                        + " set it, or name the URL of a verifier");
        assertThat(fault(METHOD.replace("facilitator", "'https://v.example/mpp'"), none))
                .isEqualTo("none");
    }

    @Test
    void theDevelopmentFacilitatorTakesTheTestNetworkAlone() {
        PaymentsUse test = new PaymentsUse(ROUTES, true, false, FacilitatorKind.DEVELOPMENT, false);
        assertThat(fault(OFFER, test))
                .isEqualTo("payments file pay.yaml:3: x402.accepts[0].network: the development facilitator takes"
                        + " eip155:84532 alone, not eip155:1; set INBOXD_X402_FACILITATOR for another network");
        assertThat(fault(OFFER.replace("eip155:1", "eip155:84532") + METHOD, test))
                .isEqualTo("payments file pay.yaml:9: mpp.methods[0].details: the development facilitator takes"
                        + " eip155:84532 alone, not eip155:1; set INBOXD_X402_FACILITATOR for another network");
        String sepolia = (OFFER + METHOD).replace("eip155:1", "eip155:84532").replace("chainId: 1", "chainId: 84532");
        assertThat(fault(sepolia, test)).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource({
        "https://v.example/mpp, true",
        "http://127.0.0.1:9/mpp, true",
        "http://10.1.2.3/mpp, true",
        "http://[::1]/mpp, true",
        "http://[fd00::1]/mpp, true",
        "http://localhost/mpp, true",
        "http://verifier:8080/mpp, true",
        "http://verifier.payments.svc.cluster.local/mpp, true",
        "http://v.example.com/mpp, false",
        "http://93.184.216.34/mpp, false",
        "http://0x5db8d822/mpp, false",
    })
    void inProductionPlainHttpIsForLoopbackAndPrivateAddresses(String url, boolean allowed) {
        String yaml = METHOD.replace("facilitator", "'" + url + "'");
        PaymentsUse production = new PaymentsUse(ROUTES, false, true, FacilitatorKind.OPERATOR, true);
        String refusal = "payments file pay.yaml:3: mpp.methods[0].verifier: it is \"" + url
                + "\", which is plain http; production needs https://, or http:// to loopback or a private address";
        assertThat(fault(yaml, production)).isEqualTo(allowed ? "none" : refusal);
        assertThat(fault(yaml, USE)).isEqualTo("none");
    }

    @Test
    void developmentHasAnOfferOfATestNetwork() {
        PaymentTerms terms = PaymentTerms.development(ROUTES);
        assertThat(Json.text(terms.x402().getFirst().accepted(new Price(2_000_000), Map.of())))
                .isEqualTo("""
                        {"scheme":"exact","network":"eip155:84532","amount":"2000000",\
                        "asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e",\
                        "payTo":"0x000000000000000000000000000000000000dEaD","maxTimeoutSeconds":300,\
                        "extra":{"name":"USDC","version":"2"}}""");
        assertThat(terms.method("evm").orElseThrow().asExact())
                .isEqualTo(terms.x402().getFirst());
    }
}
