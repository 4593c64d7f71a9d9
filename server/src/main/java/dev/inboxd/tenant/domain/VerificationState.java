package dev.inboxd.tenant.domain;

import dev.inboxd.tenant.domain.Domain.Reason;
import dev.inboxd.tenant.domain.Domain.Status;
import dev.inboxd.tenant.domain.dns.RecordKind;
import dev.inboxd.tenant.domain.dns.RecordResult;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The verification state of a domain, and its transition after a check (identity.md §11.4).
 *
 * @param reason why the domain is not verified, or null
 * @param findings the last result for each record that was ever looked up successfully
 * @param sending whether mail may leave: the key was published once, and the records for sending are right in their
 *     last results
 * @param provenAt when the key was first found: the organization owns the domain
 * @param since while verifying, since when all records are right; while verified, since when one is wrong; else null
 * @param checkedAt when the last check ended
 */
public record VerificationState(
        Status status,
        @Nullable Reason reason,
        Map<RecordKind, RecordResult> findings,
        boolean sending,
        @Nullable Instant provenAt,
        @Nullable Instant since,
        @Nullable Instant checkedAt) {
    /** The time between the first good check and the one that confirms it. */
    static final Duration CONFIRMATION = Duration.ofSeconds(60);
    /** How long a verified domain stays verified with wrong records, and how long a confirmation is waited for. */
    static final Duration GRACE = Duration.ofHours(24);

    /** A domain that was never checked. */
    public static final VerificationState NONE =
            new VerificationState(Status.NOT_STARTED, null, Map.of(), false, null, null, null);

    public VerificationState {
        findings = Map.copyOf(findings);
    }

    /** The last result for a record. */
    public RecordResult finding(RecordKind kind) {
        return findings.getOrDefault(kind, RecordResult.MISSING);
    }

    /**
     * The state after a check.
     *
     * @param fresh the results of the check; records whose look-up failed are absent and keep their last result
     * @param required the required records
     */
    VerificationState after(Map<RecordKind, RecordResult> fresh, Set<RecordKind> required, Instant now) {
        Map<RecordKind, RecordResult> results = new EnumMap<>(RecordKind.class);
        results.putAll(findings);
        results.putAll(fresh);
        results.keySet().retainAll(required);
        boolean complete = fresh.keySet().containsAll(required);
        Instant proven = provenAt == null && isValid(results, RecordKind.DKIM) ? now : provenAt;
        VerificationState next = new VerificationState(status, reason, results, sending, proven, since, now);
        if (required.stream().allMatch(kind -> isValid(results, kind))) {
            return next.good(complete, now);
        }
        boolean failing = fresh.entrySet().stream()
                .anyMatch(entry ->
                        required.contains(entry.getKey()) && !entry.getValue().equals(RecordResult.VALID));
        return next.bad(complete, failing, now);
    }

    private VerificationState good(boolean complete, Instant now) {
        Instant start = since == null ? now : since;
        return switch (status) {
            case VERIFIED -> at(Status.VERIFIED, null, complete ? null : since);
            case VERIFYING -> {
                if (!complete) {
                    boolean over = !now.isBefore(start.plus(GRACE));
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

    private VerificationState bad(boolean complete, boolean failing, Instant now) {
        if (status == Status.VERIFIED) {
            // One bad check may be a mistake of an hour, or a name server that lags behind.
            Instant trouble = since == null ? now : since;
            if (!failing || now.isBefore(trouble.plus(GRACE))) {
                return at(Status.VERIFIED, null, trouble);
            }
        }
        if (!complete && findings.isEmpty()) {
            return at(status, Reason.DNS_LOOKUP_FAILED, null);
        }
        boolean invalid = findings.values().stream().anyMatch(result -> result.state() == RecordResult.State.INVALID);
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

    /** Whether the organization's key is published: the organization owns the domain, whatever else is missing. */
    boolean isOwned() {
        return status == Status.VERIFIED || isValid(findings, RecordKind.DKIM);
    }

    /** The state when the records are right but another organization owns the domain. */
    VerificationState withNameTaken() {
        return new VerificationState(Status.INVALID, Reason.RESOURCE_TAKEN, findings, false, provenAt, null, checkedAt);
    }

    /** The state after a change of the options. A newly required record must be found first; sending continues. */
    VerificationState changed(Set<RecordKind> required) {
        Map<RecordKind, RecordResult> results = new EnumMap<>(RecordKind.class);
        results.putAll(findings);
        results.keySet().retainAll(required);
        boolean more = !results.keySet().containsAll(required);
        return more && (status == Status.VERIFIED || status == Status.VERIFYING)
                ? new VerificationState(
                        Status.PENDING, Reason.DNS_RECORDS_MISSING, results, sending, provenAt, null, checkedAt)
                : new VerificationState(status, reason, results, sending, provenAt, since, checkedAt);
    }

    /** The state after the owner requested a check: a confirmation that had failed is waited for again. */
    VerificationState withRequestedCheck(Instant now) {
        return status == Status.FAILED
                ? new VerificationState(Status.VERIFYING, reason, findings, sending, provenAt, now, checkedAt)
                : this;
    }

    private static boolean isValid(Map<RecordKind, RecordResult> results, RecordKind kind) {
        return RecordResult.VALID.equals(results.get(kind));
    }
}
