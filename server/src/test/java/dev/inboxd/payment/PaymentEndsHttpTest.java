package dev.inboxd.payment;

import static dev.inboxd.payment.PayerProbe.inbox;
import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.ForwardingBlobs;
import dev.inboxd.base.database.OuterTransaction;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.notify.stream.SocketProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** How payments end that do not end at once (payments.md §8). */
class PaymentEndsHttpTest {
    private static final String HOST = "x402.localhost";
    /** Large enough to lie beside the database. */
    private static final int LARGE = 400_000;

    private static final AtomicBoolean MEMORY_IS_SHORT = new AtomicBoolean();
    private static final AtomicInteger UPLOADS = new AtomicInteger();
    private static final AtomicInteger UPLOADS_HELD = new AtomicInteger();

    private final LedgerFacilitator facilitator = new LedgerFacilitator();
    private World world;
    private PayerProbe payer;

    /** Counts uploads, also those that others wait for, and finds no memory once. */
    private static final class ShortOfMemory extends ForwardingBlobs {
        ShortOfMemory(Blobs blobs) {
            super(blobs);
        }

        @Override
        public void put(BlobKey key, InputStream content, long size) {
            UPLOADS.incrementAndGet();
            if (OuterTransaction.isOpen()) {
                UPLOADS_HELD.incrementAndGet();
            }
            if (MEMORY_IS_SHORT.compareAndSet(true, false)) {
                throw new OutOfMemoryError("of a test");
            }
            super.put(key, content, size);
        }
    }

    @BeforeEach
    void start() {
        UPLOADS.set(0);
        UPLOADS_HELD.set(0);
        world = World.storing(
                Map.of("INBOXD_X402_HOST", HOST, "INBOXD_X402_FACILITATOR", facilitator.url()), ShortOfMemory::new);
        payer = new PayerProbe(world.httpPort(), HOST);
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        facilitator.close();
    }

    private static String withFile() {
        String file = Base64.getEncoder().encodeToString(new byte[LARGE]);
        return """
                {"to":"ann@far.test","text":"t","attachments":[{"filename":"f.bin","content":"%s"}]}""".formatted(file);
    }

    @Test
    @Tag("long")
    @Proves("P24")
    void anOpenPaymentEndsAlsoWhereTheHostIsSwitchedOff() {
        payer.pay("POST", "/v0/inboxes", inbox("first")).is(200);
        String key =
                payer.pay("POST", "/v0/api-keys", json("name", "k")).is(200).text("api_key");
        facilitator.hold();
        payer.pay("POST", "/v0/pods", json("name", "late")).is(409);
        try (World off = world.beside(Map.of("INBOXD_X402_FACILITATOR", facilitator.url()))) {
            world.close();
            facilitator.letGo();
            await(() -> "settled".equals(off.as(key).get("/v0/payments").is(200).at("payments.0.status")));
            assertThat(off.as(key).get("/v0/pods").is(200).at("count")).isEqualTo(2L);
        }
    }

    @Test
    @Tag("long")
    void listsAreEmptyWhileTheFirstPaymentIsOpen() {
        facilitator.hold();
        payer.pay("POST", "/v0/inboxes", inbox("first")).is(409);
        for (String list : List.of("inboxes", "pods", "payments", "webhooks")) {
            Answer empty = payer.pay("GET", "/v0/" + list, "").is(200);
            assertThat(empty.at("count")).as(list).isEqualTo(0L);
            assertThat(empty.list(list)).isEmpty();
        }
        payer.pay("GET", "/v0/auth/me", "").is(404);
        facilitator.letGo();
        await(() -> Long.valueOf(1)
                .equals(payer.pay("GET", "/v0/inboxes", "").is(200).at("count")));
    }

    @Test
    @Proves("P24")
    void whatWasSettledIsCarriedOutLaterWhenMemoryWasShort() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("first")).is(200).text("inbox_id");
        String path = "/v0/inboxes/" + box + "/drafts";
        MEMORY_IS_SHORT.set(true);
        String payment = payer.signed("POST", path, withFile());
        Answer pending = payer.call("POST", path, withFile(), payment).is(409);
        assertThat(pending.at("code")).isEqualTo("payment_pending");
        await(() -> payer.call("POST", path, withFile(), payment).status() == 200);
        assertThat(payer.pay("GET", path, "").is(200).at("count")).isEqualTo(1L);
        assertThat(facilitator.ledger()).hasSize(2);
    }

    /** A slow store keeps no clock of an organization, and a trial leaves nothing there. */
    @Test
    void filesOfADraftAreUploadedOnceAndWhileNothingIsHeld() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("first")).is(200).text("inbox_id");
        payer.pay("POST", "/v0/inboxes/" + box + "/drafts", withFile()).is(200);
        assertThat(UPLOADS).hasValue(1);
        assertThat(UPLOADS_HELD).hasValue(0);
    }

    /** A slow name server keeps no other call of the organization waiting. */
    @Test
    @Tag("long")
    void namesAreLookedUpWhileNothingIsHeld() throws Exception {
        payer.pay("POST", "/v0/inboxes", inbox("first")).is(200);
        world.dns().silent("slow.example", Type.MX);
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> slow = other.submit(() -> payer.pay("POST", "/v0/domains", json("domain", "slow.example")));
            await(() -> world.dns().questions().stream().anyMatch(question -> question.contains("slow.example")));
            payer.pay("POST", "/v0/pods", json("name", "quick")).is(200);
            assertThat(slow.isDone()).isFalse();
            assertThat(slow.get().status()).isIn(200, 503);
        }
    }

    @Test
    @Tag("long")
    @Proves("P24")
    void whatCannotBeCarriedOutIsOwed() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("first")).is(200).text("inbox_id");
        String key =
                payer.pay("POST", "/v0/api-keys", json("name", "k")).is(200).text("api_key");
        facilitator.hold();
        String path = "/v0/inboxes/" + box + "/messages/send";
        String letter = json("to", "ann@far.test", "subject", "s", "text", "t");
        String payment = payer.signed("POST", path, letter);
        String id = payer.call("POST", path, letter, payment).is(409).text("payment_id");
        world.database()
                .write(
                        organization(),
                        tx -> tx.sql(View.of(organization()), "delete from inbox i where {i} and i.address = :address")
                                .bind("address", box)
                                .run());
        facilitator.letGo();
        await(() ->
                "owed".equals(payer.pay("GET", "/v0/payments/" + id, "").is(200).at("status")));
        Answer owed = payer.call("POST", path, letter, payment).is(409);
        assertThat(owed.at("code")).isEqualTo("conflict");
        assertThat(owed.at("payment_id")).isEqualTo(id);
        assertThat(world.as(key).get("/v0/payments/" + id).is(200).text("reason"))
                .isEqualTo("not_found");
        assertThat(actions()).contains("payment.owed");
        assertThat(facilitator.ledger()).hasSize(2);
    }

    private UUID organization() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select o.organization_id from organization o where o.type = 'wallet'")
                        .single(row -> row.uuid("organization_id")));
    }

    private List<String> actions() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select a.action from audit_entry a")
                        .list(row -> row.text("action")));
    }

    @Test
    @Proves("P12")
    void aSocketOfAnAccountEndsWithItsOrganization() {
        payer.pay("POST", "/v0/inboxes", inbox("first")).is(200);
        String query = "?PAYMENT-SIGNATURE=" + payer.signed("GET", "/v0", "").replace("+", "%2B");
        try (SocketProbe socket = SocketProbe.openWith(world.httpPort(), query, "Host", HOST)) {
            UUID organization = organization();
            world.database()
                    .write(
                            organization,
                            tx -> tx.sql(View.of(organization), "delete from organization o where {o}")
                                    .run());
            assertThat(socket.closeCode()).isEqualTo(1008);
        }
    }

    @Test
    void aHostWithoutAnOfferSaysThatItKnowsNoneYet() throws IOException {
        Path file = Files.writeString(world.folder().resolve("payments.yaml"), """
                x402:
                  accepts:
                    - network: solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp
                      asset: EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
                      decimals: 6
                      pay_to: 2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4
                """);
        try (World other = World.start(Map.of(
                "INBOXD_X402_HOST",
                HOST,
                "INBOXD_X402_FACILITATOR",
                facilitator.url(),
                "INBOXD_PAYMENTS_FILE",
                file.toString()))) {
            Answer none = HttpProbe.of(other.httpPort(), null)
                    .with("Host", HOST)
                    .get("/v0/inboxes")
                    .is(503);
            assertThat(none.header("Retry-After")).isEqualTo("5");
        }
    }
}
