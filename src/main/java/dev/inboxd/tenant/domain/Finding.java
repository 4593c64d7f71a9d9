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
record Finding(State state, @Nullable Reason reason) {
    static final Finding VALID = new Finding(State.VALID, null);
    static final Finding MISSING = new Finding(State.MISSING, null);
    static final Finding DUPLICATE = new Finding(State.INVALID, Reason.DUPLICATE_RECORDS);
    static final Finding MISMATCH = new Finding(State.INVALID, Reason.VALUE_MISMATCH);

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
    static List<String> words(Map<RecordKind, Finding> findings) {
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
    static Map<RecordKind, Finding> ofWords(List<String> words) {
        Map<RecordKind, Finding> findings = new EnumMap<>(RecordKind.class);
        for (String word : words) {
            String[] parts = word.split(" ", -1);
            findings.put(
                    RecordKind.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                    new Finding(State.valueOf(parts[1]), parts.length == 2 ? null : Reason.valueOf(parts[2])));
        }
        return findings;
    }
}
