package dev.inboxd.notify.webhook;

import dev.inboxd.net.RequestHeader;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Where a webhook's deliveries go and how they are signed.
 *
 * @param owner the id that deliveries are named after: an organization's, a pod's or an inbox's
 * @param target its URL, checked again
 * @param custom the owner's own header fields
 */
record Endpoint(UUID owner, TargetCheck target, WebhookSignature signature, List<RequestHeader> custom) {
    private static final RequestHeader JSON = new RequestHeader("content-type", "application/json");

    Endpoint {
        custom = List.copyOf(custom);
    }

    /** What the row of a webhook says of it. */
    record EndpointRow(Webhook.Owner owner, String url, List<String> secrets, List<RequestHeader> custom) {
        EndpointRow {
            secrets = List.copyOf(secrets);
            custom = List.copyOf(custom);
        }

        Endpoint in(UUID organization, SafeHttp http) {
            return new Endpoint(owner.within(organization), http.check(url), new WebhookSignature(secrets), custom);
        }

        @Override
        public String toString() {
            return url;
        }
    }

    /**
     * The header fields of one attempt.
     *
     * @param second its time, since 1970
     */
    List<RequestHeader> fields(String eventId, long second, byte[] content) {
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
