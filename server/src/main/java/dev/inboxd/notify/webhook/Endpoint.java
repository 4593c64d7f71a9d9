package dev.inboxd.notify.webhook;

import dev.inboxd.net.RequestHeader;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Where a webhook's deliveries are posted and how they are signed.
 *
 * @param organization whose webhook it is
 * @param owner the id of the organization, pod or inbox that owns the webhook; a part of {@link DeliveryId}
 * @param target the URL, checked again
 * @param custom the header fields that the owner has set
 */
public record Endpoint(
        UUID organization, UUID owner, TargetCheck target, WebhookSignature signature, List<RequestHeader> custom) {
    private static final RequestHeader JSON = new RequestHeader("content-type", "application/json");

    public Endpoint {
        custom = List.copyOf(custom);
    }

    /** The endpoint as its row has it. */
    public record EndpointRow(Webhook.Owner owner, String url, List<String> secrets, List<RequestHeader> custom) {
        public EndpointRow {
            secrets = List.copyOf(secrets);
            custom = List.copyOf(custom);
        }

        public Endpoint in(UUID organization, SafeHttp http) {
            return new Endpoint(
                    organization, owner.within(organization), http.check(url), new WebhookSignature(secrets), custom);
        }

        @Override
        public String toString() {
            return url;
        }
    }

    /**
     * The header fields of one attempt.
     *
     * @param second the time of the attempt in seconds since 1970
     */
    public List<RequestHeader> fields(String eventId, long second, byte[] content) {
        String id = DeliveryId.of(eventId, owner);
        String value = signature.of(id, second, content);
        String time = Long.toString(second);
        List<RequestHeader> fields = new ArrayList<>(custom);
        fields.add(JSON);
        for (String family : List.of("svix", "webhook")) {
            fields.add(new RequestHeader(family + "-id", id));
            fields.add(new RequestHeader(family + "-timestamp", time));
            fields.add(new RequestHeader(family + "-signature", value));
        }
        return fields;
    }
}
