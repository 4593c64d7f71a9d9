package dev.inboxd.payment.offer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PriceListTest {
    private static final PriceList SHIPPED = PriceList.shipped(PaymentFixture.ROUTES);

    @Test
    void whatIsShippedHasAPriceAtEveryLevelAndNothingElseHas() {
        Map<String, String> priced = new TreeMap<>();
        SHIPPED.named().forEach((route, price) -> priced.put(route, price.text()));
        assertThat(priced)
                .isEqualTo(new TreeMap<>(Map.ofEntries(
                        Map.entry("POST /v0/inboxes", "2.00"),
                        Map.entry("POST /v0/pods/{pod_id}/inboxes", "2.00"),
                        Map.entry("POST /v0/domains", "10.00"),
                        Map.entry("POST /v0/pods/{pod_id}/domains", "10.00"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/messages/send", "0.01"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/messages/{message_id}/reply", "0.01"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/messages/{message_id}/reply-all", "0.01"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/messages/{message_id}/forward", "0.01"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/drafts", "0.01"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/drafts/{draft_id}/send", "0.01"),
                        Map.entry("POST /v0/lists/{direction}/{type}", "0.01"),
                        Map.entry("POST /v0/pods/{pod_id}/lists/{direction}/{type}", "0.01"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/lists/{direction}/{type}", "0.01"),
                        Map.entry("POST /v0/webhooks", "0.01"),
                        Map.entry("POST /v0/pods/{pod_id}/webhooks", "0.01"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/webhooks", "0.01"),
                        Map.entry("POST /v0/webhooks/polling", "0.01"),
                        Map.entry("POST /v0/pods/{pod_id}/webhooks/polling", "0.01"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/webhooks/polling", "0.01"),
                        Map.entry("POST /v0/pods", "0.01"),
                        Map.entry("POST /v0/inboxes/{inbox_id}/calendar/events", "0.01"))));
        assertThat(SHIPPED.of("GET", "/v0/inboxes")).isEqualTo(Price.FREE);
        assertThat(SHIPPED.of("POST", "/v0/api-keys")).isEqualTo(Price.FREE);
    }

    @Test
    void headCostsWhatGetCostsAndTheSocketNothing() {
        PriceList list = SHIPPED.with(Map.of("GET /v0/inboxes", new Price(7)), new Price(5));
        assertThat(list.of("HEAD", "/v0/inboxes")).isEqualTo(new Price(7));
        assertThat(list.of("GET", "/v0/threads")).isEqualTo(new Price(5));
        assertThat(list.of("GET", "/v0")).isEqualTo(Price.FREE);
        assertThat(list.of("HEAD", "/v0")).isEqualTo(Price.FREE);
        assertThat(list.of("POST", "/v0/domains")).isEqualTo(new Price(10_000_000));
    }

    @Test
    void schedulingADraftCostsAtLeastWhatSendingItCosts() {
        String drafts = "/v0/inboxes/{inbox_id}/drafts";
        assertThat(SHIPPED.of("PATCH", drafts + "/{draft_id}")).isEqualTo(Price.FREE);
        assertThat(SHIPPED.ofScheduling("PATCH", drafts + "/{draft_id}")).isEqualTo(new Price(10_000));
        PriceList dear = SHIPPED.with(
                Map.of("POST " + drafts, new Price(1), "POST " + drafts + "/{draft_id}/send", new Price(9)),
                Price.FREE);
        assertThat(dear.ofScheduling("POST", drafts)).isEqualTo(new Price(9));
        assertThat(dear.of("POST", drafts)).isEqualTo(new Price(1));
    }
}
