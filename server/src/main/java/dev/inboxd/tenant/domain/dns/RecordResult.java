package dev.inboxd.tenant.domain.dns;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a check of one record.
 *
 * @param reason why it is invalid, else null
 */
public record RecordResult(State state, @Nullable Reason reason) {
    public static final RecordResult VALID = new RecordResult(State.VALID, null);
    public static final RecordResult MISSING = new RecordResult(State.MISSING, null);
    public static final RecordResult DUPLICATE = new RecordResult(State.INVALID, Reason.DUPLICATE_RECORDS);
    public static final RecordResult MISMATCH = new RecordResult(State.INVALID, Reason.VALUE_MISMATCH);

    /** The state of the published record (identity.md §11.1). */
    public enum State {
        MISSING,
        INVALID,
        VALID
    }

    /** Why a record is invalid. */
    enum Reason {
        /** The expected value is there, with another one that is not allowed beside it. */
        DUPLICATE_RECORDS,
        /** Another value is there. */
        VALUE_MISMATCH
    }

    /** The stored form of results. */
    public static List<String> toTexts(Map<RecordKind, RecordResult> findings) {
        return findings.entrySet().stream()
                .map(entry -> {
                    Reason reason = entry.getValue().reason();
                    return entry.getKey().word() + " " + entry.getValue().state()
                            + (reason == null ? "" : " " + reason);
                })
                .sorted()
                .toList();
    }

    /** The results in a stored form. */
    public static Map<RecordKind, RecordResult> ofWords(List<String> words) {
        Map<RecordKind, RecordResult> findings = new EnumMap<>(RecordKind.class);
        for (String word : words) {
            String[] parts = word.split(" ", -1);
            findings.put(
                    RecordKind.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                    new RecordResult(State.valueOf(parts[1]), parts.length == 2 ? null : Reason.valueOf(parts[2])));
        }
        return findings;
    }
}
