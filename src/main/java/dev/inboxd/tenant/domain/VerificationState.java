package dev.inboxd.tenant.domain;

import dev.inboxd.tenant.domain.Domain.Reason;
import dev.inboxd.tenant.domain.Domain.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a domain's records, and how one check leads on from there (identity.md §11.4).
 *
 * @param reason why it is not verified, or null
 * @param findings of each record, as far as a look-up ever gave one
 * @param sending whether mail may leave: the key was seen there, and the records of sending are right as far as known
 * @param provenAt when the key was seen there first: the organization owns the domain
 * @param since while verifying, since when all records are right; while verified, since when one is not; else null
 * @param checkedAt when the last check was made
 */
record VerificationState(
        Status status,
        @Nullable Reason reason,
        Map<RecordKind, RecordResult> findings,
        boolean sending,
        @Nullable Instant provenAt,
        @Nullable Instant since,
        @Nullable Instant checkedAt) {
    /** Between the first good check and the one that confirms it. */
    static final Duration CONFIRMATION = Duration.ofSeconds(60);
    /** How long a verified domain is taken at its word, and a confirmation waited for. */
    static final Duration PATIENCE = Duration.ofHours(24);

    /** A domain that was never checked. */
    static final VerificationState NONE =
            new VerificationState(Status.NOT_STARTED, null, Map.of(), false, null, null, null);

    VerificationState {
        findings = Map.copyOf(findings);
    }

    /** What the last look-up gave for a record. */
    RecordResult finding(RecordKind kind) {
        return findings.getOrDefault(kind, RecordResult.MISSING);
    }

    /**
     * The progress after a check.
     *
     * @param fresh what it found; records that could not be looked up are not in it and keep what was known
     * @param required which records count
     */
    VerificationState after(Map<RecordKind, RecordResult> fresh, Set<RecordKind> required, Instant now) {
        Map<RecordKind, RecordResult> known = new EnumMap<>(RecordKind.class);
        known.putAll(findings);
        known.putAll(fresh);
        known.keySet().retainAll(required);
        boolean complete = fresh.keySet().containsAll(required);
        Instant proven = provenAt == null && isValid(known, RecordKind.DKIM) ? now : provenAt;
        VerificationState next = new VerificationState(status, reason, known, sending, proven, since, now);
        if (required.stream().allMatch(kind -> isValid(known, kind))) {
            return next.good(complete, now);
        }
        boolean seen = fresh.entrySet().stream()
                .anyMatch(found ->
                        required.contains(found.getKey()) && !found.getValue().equals(RecordResult.VALID));
        return next.bad(complete, seen, now);
    }

    private VerificationState good(boolean complete, Instant now) {
        Instant start = since == null ? now : since;
        return switch (status) {
            case VERIFIED -> at(Status.VERIFIED, null, complete ? null : since);
            case VERIFYING -> {
                if (!complete) {
                    boolean over = !now.isBefore(start.plus(PATIENCE));
                    yield at(over ? Status.FAILED : Status.VERIFYING, Reason.DNS_LOOKUP_FAILED, start);
                }
                boolean confirmed = !now.isBefore(start.plus(CONFIRMATION));
                yield confirmed
                        ? at(Status.VERIFIED, null, null)
                        : at(Status.VERIFYING, Reason.CONFIRMATION_PENDING, start);
            }
            case NOT_STARTED, PENDING, INVALID, FAILED ->
                at(Status.VERIFYING, complete ? Reason.CONFIRMATION_PENDING : Reason.DNS_LOOKUP_FAILED, now);
        };
    }

    private VerificationState bad(boolean complete, boolean seen, Instant now) {
        if (status == Status.VERIFIED) {
            // One bad look may be somebody's mistake of an hour, or a server of theirs that lags.
            Instant trouble = since == null ? now : since;
            if (!seen || now.isBefore(trouble.plus(PATIENCE))) {
                return at(Status.VERIFIED, null, trouble);
            }
        }
        if (!complete && findings.isEmpty()) {
            return at(status, Reason.DNS_LOOKUP_FAILED, null);
        }
        boolean invalid = findings.values().stream().anyMatch(found -> found.state() == RecordResult.State.INVALID);
        Reason usual = invalid ? Reason.DNS_RECORDS_INVALID : Reason.DNS_RECORDS_MISSING;
        return at(invalid ? Status.INVALID : Status.PENDING, complete ? usual : Reason.DNS_LOOKUP_FAILED, null);
    }

    private VerificationState at(Status newStatus, @Nullable Reason newReason, @Nullable Instant newSince) {
        boolean sends = newStatus == Status.VERIFIED
                || (provenAt != null
                        && isValid(findings, RecordKind.BOUNCE_MX)
                        && isValid(findings, RecordKind.SPF)
                        && isValid(findings, RecordKind.DKIM));
        return new VerificationState(newStatus, newReason, findings, sends, provenAt, newSince, checkedAt);
    }

    /** Whether the organization's key is seen there: the domain is its own, whatever else is missing. */
    boolean isOwned() {
        return status == Status.VERIFIED || isValid(findings, RecordKind.DKIM);
    }

    /** All is right but for another organization, which has verified the domain and still holds it. */
    VerificationState withNameTaken() {
        return new VerificationState(Status.INVALID, Reason.RESOURCE_TAKEN, findings, false, provenAt, null, checkedAt);
    }

    /** The progress after a change of the options: a record that is new has to be seen first. Sending goes on. */
    VerificationState changed(Set<RecordKind> required) {
        Map<RecordKind, RecordResult> known = new EnumMap<>(RecordKind.class);
        known.putAll(findings);
        known.keySet().retainAll(required);
        boolean more = !known.keySet().containsAll(required);
        return more && (status == Status.VERIFIED || status == Status.VERIFYING)
                ? new VerificationState(
                        Status.PENDING, Reason.DNS_RECORDS_MISSING, known, sending, provenAt, null, checkedAt)
                : new VerificationState(status, reason, known, sending, provenAt, since, checkedAt);
    }

    /** The progress when its owner asks for a check: a confirmation that was given up is waited for anew. */
    VerificationState withRequestedCheck(Instant now) {
        return status == Status.FAILED
                ? new VerificationState(Status.VERIFYING, reason, findings, sending, provenAt, now, checkedAt)
                : this;
    }

    private static boolean isValid(Map<RecordKind, RecordResult> known, RecordKind kind) {
        return RecordResult.VALID.equals(known.get(kind));
    }
}
