package dev.inboxd.tenant.domain.dns;

import dev.inboxd.base.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A record that a domain must publish.
 *
 * @param name its name, without a dot at the end
 * @param value a text, or a host without a dot at the end
 */
public record ZoneRecord(RecordKind kind, String name, String value) {
    /** The preference of every required MX record. */
    public static final int PRIORITY = 10;

    /** Whether the record has a preference. */
    public boolean isMx() {
        return kind.type().equals("MX");
    }

    /** The JSON form (identity.md §11.1), with the result of the last check. */
    public JsonObject json(RecordResult result) {
        RecordResult.Reason reason = result.reason();
        @Nullable String why = reason == null ? null : reason.name().toLowerCase(Locale.ROOT);
        return JsonObject.of("type", kind.type())
                .with("name", name)
                .with("value", value)
                .with("status", result.state().name())
                .with("priority", isMx() ? PRIORITY : null)
                .with("reason", why);
    }
}
