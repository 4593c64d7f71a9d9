package dev.inboxd.notify.webhook;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of a webhook that sign at a time (ruling 143).
 *
 * @param current the newest
 * @param currentKey the hash of the Idempotency-Key whose rotation made it; empty for none
 * @param former those that were replaced and still sign, the newest first
 */
public record WebhookSecrets(String current, String currentKey, List<Former> former) {
    /** How long a replaced secret still signs, so that receivers can change over without a gap. */
    public static final Duration OVERLAP = Duration.ofHours(24);

    private static final int MOST = 5;

    public WebhookSecrets {
        former = List.copyOf(former);
    }

    /**
     * A secret that was replaced.
     *
     * @param until when it signs no more
     * @param key the hash of the Idempotency-Key whose rotation made it; empty for none
     */
    record Former(String secret, Instant until, String key) {}

    /**
     * The secrets that sign at this time.
     *
     * @param stored as {@link #stored} made it; null before the first rotation
     * @param last the one that was replaced last: a node of an earlier version writes nothing else
     */
    static WebhookSecrets of(String current, byte @Nullable [] stored, @Nullable Former last, Instant now) {
        List<Former> former = new ArrayList<>();
        String key = "";
        for (JsonTree entry : stored == null ? List.<JsonTree>of() : list(stored)) {
            Former storedSecret =
                    new Former(entry.text("secret"), Instant.parse(entry.text("until")), entry.text("key"));
            if (storedSecret.secret.equals(current)) {
                key = storedSecret.key;
            } else if (last != null && storedSecret.secret.equals(last.secret)) {
                former.add(new Former(storedSecret.secret, last.until, storedSecret.key));
            } else if (!storedSecret.until.equals(Instant.MAX)) { // current until a node of an earlier version came
                former.add(storedSecret);
            }
        }
        if (last != null && former.stream().noneMatch(formerSecret -> formerSecret.secret.equals(last.secret))) {
            former.add(last);
        }
        return new WebhookSecrets(
                current,
                key,
                former.stream()
                        .filter(formerSecret -> formerSecret.until.isAfter(now))
                        .sorted(Comparator.comparing(Former::until).reversed())
                        .toList());
    }

    private static List<JsonTree> list(byte[] stored) {
        return JsonTree.of(stored).list("secrets");
    }

    /** All that sign, the newest first. */
    List<String> all() {
        List<String> all = new ArrayList<>(List.of(current));
        former.forEach(formerSecret -> all.add(formerSecret.secret));
        return all;
    }

    /** The secret that a rotation with this Idempotency-Key made, while it signs. */
    public Optional<String> madeBy(String key) {
        if (key.isEmpty()) {
            return Optional.empty();
        }
        return key.equals(currentKey)
                ? Optional.of(current)
                : former.stream()
                        .filter(formerSecret -> formerSecret.key.equals(key))
                        .findFirst()
                        .map(Former::secret);
    }

    /**
     * These with another current one.
     *
     * @throws Problem {@code limit_exceeded} when too many would sign
     */
    public WebhookSecrets rotated(String secret, String key, Instant now) {
        if (former.size() + 2 > MOST) {
            throw Problem.of(
                    ErrorCode.LIMIT_EXCEEDED,
                    "At most " + MOST + " secrets of a webhook sign at once",
                    "Rotate again after " + former.getLast().until + ", when the oldest signs no more.");
        }
        List<Former> after = new ArrayList<>(former);
        after.addFirst(new Former(current, now.plus(OVERLAP), currentKey));
        return new WebhookSecrets(secret, key, after);
    }

    /** As {@link #of} reads it; it is sealed in its row. */
    byte[] stored() {
        List<Map<String, String>> entries = new ArrayList<>();
        entries.add(entry(new Former(current, Instant.MAX, currentKey)));
        former.forEach(formerSecret -> entries.add(entry(formerSecret)));
        return Json.write(Map.of("secrets", entries));
    }

    private static Map<String, String> entry(Former secret) {
        Map<String, String> entry = new LinkedHashMap<>();
        entry.put("secret", secret.secret);
        entry.put("until", secret.until.toString());
        entry.put("key", secret.key);
        return entry;
    }
}
