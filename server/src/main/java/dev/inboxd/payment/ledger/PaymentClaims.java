package dev.inboxd.payment.ledger;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What nobody else may take or change while a request is being paid for (payments.md §8).
 *
 * @param exclusive what one payment alone may have, such as the name of something new
 * @param grounds what must stay as it is, such as the inbox of a message
 * @param address the address of a new inbox; null for other requests
 */
public record PaymentClaims(
        List<String> exclusive,
        List<String> grounds,
        @Nullable String address) {
    private static final int LONGEST = 1_024;
    /** Members that name what a request makes or changes. */
    private static final List<String> NAMES = List.of("client_id", "entry", "username", "name", "domain");

    private static final String DRAFT = "draft ";
    private static final String DOMAIN = "domain ";

    public PaymentClaims {
        exclusive = List.copyOf(exclusive);
        grounds = List.copyOf(grounds);
    }

    /** That an inbox stays as it is. */
    static String inbox(UUID inbox) {
        return "inbox " + inbox;
    }

    /** That a pod stays as it is. */
    static String pod(UUID pod) {
        return "pod " + pod;
    }

    /** That a domain stays as it is. */
    static String domain(String domain) {
        return DOMAIN + domain;
    }

    /** The drafts that are sent, or get their time, when the payment is settled. */
    public List<UUID> drafts() {
        return drafts(exclusive);
    }

    static List<UUID> drafts(List<String> exclusive) {
        return exclusive.stream()
                .filter(name -> name.startsWith(DRAFT))
                .map(name -> UUID.fromString(name.substring(DRAFT.length())))
                .toList();
    }

    /**
     * Those of a request that was tried.
     *
     * @param route method and template
     */
    public static PaymentClaims of(String route, LocalCall call, LocalCalls.LocalAnswer trial) {
        List<String> exclusive = new ArrayList<>();
        List<String> grounds = new ArrayList<>();
        Map<?, ?> members = members(call.body());
        String kind = route.substring(route.lastIndexOf('/')); // at whatever level
        for (String name : NAMES) {
            add(exclusive, kind + " " + name + " ", members.get(name));
        }
        add(exclusive, route + " key ", call.headers().get("idempotency-key"));
        if (route.contains("/drafts/{draft_id}")) {
            add(exclusive, DRAFT, trial.path().get("draft_id"));
        }
        add(grounds, DOMAIN, members.get("domain"));
        String inbox = trial.path().get("inbox_id");
        if (inbox != null) {
            add(grounds, DOMAIN, inbox.substring(inbox.indexOf('@') + 1).toLowerCase(Locale.ROOT));
        }
        View view = trial.view();
        if (view.inbox() != null) {
            grounds.add(inbox(view.inbox()));
        }
        if (view.pod() != null) {
            grounds.add(pod(view.pod()));
        }
        boolean opensInbox = route.startsWith("POST ") && route.endsWith("/inboxes");
        String address = opensInbox ? address(trial.answer()) : null;
        add(exclusive, "address ", address);
        return new PaymentClaims(exclusive, grounds, address);
    }

    private static Map<?, ?> members(@Nullable String body) {
        return body != null
                        && !body.isBlank()
                        && Json.parse(body.getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> members
                ? members
                : Map.of();
    }

    private static void add(List<String> claims, String kind, @Nullable Object value) {
        if (value instanceof String text && text.length() <= LONGEST) {
            claims.add(kind + text.toLowerCase(Locale.ROOT));
        }
    }

    /** The address of the inbox that a call opened; null when it opened none. */
    public static @Nullable String address(Response answer) {
        return answer.body() instanceof Response.Body.Bytes bytes
                        && Json.parse(bytes.content()) instanceof Map<?, ?> members
                        && members.get("inbox_id") instanceof String address
                ? address
                : null;
    }
}
