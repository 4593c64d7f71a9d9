package dev.inboxd.observe.audit;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an entry says beside its action: names that the route reads, and words of the interface. Entries of earlier
 * revisions have whatever a body had; of these the same is shown.
 */
final class AuditDetails {
    private static final int MOST = 64;
    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_ADDRESS = 320;
    /** More than a row of this revision has; what is longer is of an earlier one, and is not read. */
    static final int LONGEST = 32 * 1024;

    private static final String MEMBERS = "members";
    private static final String PERMISSIONS = "permissions";
    private static final String ALWAYS_ALLOW = "always_allow";
    private static final String HOSTS = "hosts";
    private static final String LIST = "list";
    private static final String COUNT = "count";
    /** Whose session or role it is. */
    private static final String HUMAN = "human_email";
    /** The payment of a call (payments.md §12). */
    static final String PAYMENT = "payment_id";

    /** The members whose values are kept, and what these may be. */
    private static final Map<String, Set<String>> WORDS = Map.of(
            "status", Set.of("active", "paused"),
            "sending", Set.of("active", "paused"),
            "send_approval", Set.of("required"),
            "message_security", Set.of("off", "monitor", "hold"),
            "role", Set.of("read", "approve", "own"));

    /** What is made takes its values from elsewhere: a new inbox needs no approval, whatever was written. */
    private static final Set<AuditAction> WITHOUT_WORDS = Set.of(AuditAction.INBOX_CREATED);

    /** The permissions that are given by name: an entry has them also where the request named none. */
    private static final List<String> NAMED = List.of(
            Permission.DRAFT_APPROVE.wireName(),
            Permission.MESSAGE_RELEASE.wireName(),
            Permission.AUDIT_READ.wireName());

    private static final Map<AuditAction, List<String>> BY_NAME =
            Map.of(AuditAction.API_KEY_CREATED, NAMED, AuditAction.API_KEY_UPDATED, NAMED);

    private AuditDetails() {}

    /** The details of a request. */
    static Map<String, Object> of(AuditAction action, Request request, Response answer) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (request.route().template().contains("/{direction}/{type}")) {
            details.put(LIST, request.path("direction") + "/" + request.path("type"));
        }
        JsonBody body = request.readBody();
        if (body != null && !request.route().method().equals("DELETE")) {
            List<String> names = body.readNames();
            details.put(MEMBERS, names(names));
            if (!WITHOUT_WORDS.contains(action)) {
                WORDS.forEach((name, words) -> {
                    if (names.contains(name) && body.any(name) instanceof String word && words.contains(word)) {
                        details.put(name, word);
                    }
                });
            }
            Map<String, Object> flags = new LinkedHashMap<>(BY_NAME.getOrDefault(action, List.of()).stream()
                    .filter(AnswerMembers.flags(answer, PERMISSIONS)::contains)
                    .collect(Collectors.toMap(flag -> flag, _ -> true)));
            if (names.contains(PERMISSIONS) && body.any(PERMISSIONS) instanceof Map<?, ?> permissions) {
                flags.putAll(flags(permissions));
            }
            if (!flags.isEmpty()) {
                details.put(PERMISSIONS, flags);
            }
        }
        request.change().details().forEach((name, said) -> details.put(name, said(said)));
        UUID payment = payment(request);
        if (payment != null) {
            details.put(PAYMENT, payment.toString());
        }
        return details;
    }

    private static @Nullable UUID payment(Request request) {
        return request.caller().credential() instanceof Caller.Credential.Payer payer ? payer.payment() : null;
    }

    private static Object said(Object said) {
        return said instanceof List<?> addresses ? addresses(addresses) : said;
    }

    /** What is shown of the details of a row, of this revision or an earlier one. */
    static @Nullable Map<String, Object> shown(@Nullable String stored, @Nullable Integer count) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (stored != null && Json.stored(stored) instanceof Map<?, ?> json) {
            json.forEach((name, value) -> show(details, String.valueOf(name), value));
        }
        if (count != null) {
            details.put(COUNT, count);
        }
        return details.isEmpty() ? null : details;
    }

    private static void show(Map<String, Object> details, String name, @Nullable Object value) {
        switch (value) {
            case List<?> list when name.equals(MEMBERS) || name.equals(PERMISSIONS) -> details.put(name, names(list));
            case List<?> list
            when name.equals(ALWAYS_ALLOW) || name.equals(HOSTS) -> details.put(name, addresses(list));
            case Map<?, ?> map when name.equals(PERMISSIONS) -> details.put(name, flags(map));
            case String word when WORDS.getOrDefault(name, Set.of()).contains(word) -> details.put(name, word);
            case String list when name.equals(LIST) && list.length() <= LONGEST_NAME -> details.put(name, list);
            case String human when name.equals(HUMAN) && human.length() <= LONGEST_ADDRESS -> details.put(name, human);
            case String payment when name.equals(PAYMENT) && Uuid7.parse(payment) != null -> details.put(name, payment);
            case Long number when name.equals(COUNT) -> details.put(name, number);
            case null, default -> {
                // what an earlier revision took from a body
            }
        }
    }

    private static List<String> names(List<?> items) {
        return items.stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .filter(AuditDetails::isName)
                .limit(MOST)
                .toList();
    }

    private static List<String> addresses(List<?> items) {
        return items.stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .filter(address -> address.getBytes(StandardCharsets.UTF_8).length <= LONGEST_ADDRESS)
                .limit(MOST)
                .toList();
    }

    private static Map<String, Object> flags(Map<?, ?> members) {
        Map<String, Object> flags = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            if (flags.size() < MOST && value instanceof Boolean && isName(String.valueOf(name))) {
                flags.put(String.valueOf(name), value);
            }
        });
        return flags;
    }

    /** Whether a name is spelled as the interface spells its own. */
    private static boolean isName(String name) {
        return !name.isEmpty()
                && name.length() <= LONGEST_NAME
                && name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
    }
}
