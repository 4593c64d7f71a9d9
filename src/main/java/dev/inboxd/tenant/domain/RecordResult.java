package dev.inboxd.tenant.domain;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a check found of one record.
 *
 * @param reason why it is invalid, else null
 */
record RecordResult(State state, @Nullable Reason reason) {
    static final RecordResult VALID = new RecordResult(State.VALID, null);
    static final RecordResult MISSING = new RecordResult(State.MISSING, null);
    static final RecordResult DUPLICATE = new RecordResult(State.INVALID, Reason.DUPLICATE_RECORDS);
    static final RecordResult MISMATCH = new RecordResult(State.INVALID, Reason.VALUE_MISMATCH);

    /** How the record is published (identity.md §11.1). */
    enum State {
        MISSING,
        INVALID,
        VALID
    }

    /** What is wrong with it. */
    enum Reason {
        /** What we expect is there, and something beside it that may not be. */
        DUPLICATE_RECORDS,
        /** Something else is there. */
        VALUE_MISMATCH
    }

    /** Findings as they are stored. */
    static List<String> toTexts(Map<RecordKind, RecordResult> findings) {
        return findings.entrySet().stream()
                .map(found -> {
                    Reason reason = found.getValue().reason();
                    return found.getKey().word() + " " + found.getValue().state()
                            + (reason == null ? "" : " " + reason);
                })
                .sorted()
                .toList();
    }

    /** The findings that were stored. */
    static Map<RecordKind, RecordResult> ofWords(List<String> words) {
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
