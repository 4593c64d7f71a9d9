package dev.inboxd.webhook;

import dev.inboxd.id.Base62;
import dev.inboxd.id.Digests;
import dev.inboxd.net.Field;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Where a webhook's deliveries go and how they are signed.
 *
 * @param owner the id that deliveries are named after: an organization's, a pod's or an inbox's
 * @param target its URL, checked again
 * @param custom the owner's own header fields
 */
record Endpoint(UUID owner, TargetCheck target, Signature signature, List<Field> custom) {
    private static final Field JSON = new Field("content-type", "application/json");
    private static final int ID_LENGTH = 27;

    Endpoint {
        custom = List.copyOf(custom);
    }

    /** What the row of a webhook says of it. */
    record Stored(Webhook.Owner owner, String url, String secret, List<Field> custom) {
        Endpoint in(UUID organization, SafeHttp http) {
            return new Endpoint(owner.within(organization), http.check(url), new Signature(secret), custom);
        }

        @Override
        public String toString() {
            return url;
        }
    }

    /**
     * The id of a delivery: the same for every attempt, and for all webhooks of one owner (contract: events.md §2.1).
     * Without a dot, which is what separates it in what is signed.
     */
    static String messageId(String eventId, UUID owner) {
        return "msg_" + Base62.of(Arrays.copyOf(Digests.sha256(eventId + owner), ID_LENGTH));
    }

    /**
     * The header fields of one attempt.
     *
     * @param second its time, since 1970
     */
    List<Field> fields(String eventId, long second, byte[] content) {
        String id = messageId(eventId, owner);
        String value = signature.of(id, second, content);
        String time = Long.toString(second);
        List<Field> fields = new ArrayList<>(custom);
        fields.add(JSON);
        for (String family : List.of("svix", "webhook")) {
            fields.add(new Field(family + "-id", id));
            fields.add(new Field(family + "-timestamp", time));
            fields.add(new Field(family + "-signature", value));
        }
        return fields;
    }
}
