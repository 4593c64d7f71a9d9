package dev.inboxd.tenant.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.tenant.domain.Domain.Reason;
import dev.inboxd.tenant.domain.Domain.Status;
import dev.inboxd.tenant.domain.dns.RecordKind;
import dev.inboxd.tenant.domain.dns.RecordResult;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What one check after another makes of a domain (identity.md §11.4). */
class VerificationStateTest {
    private static final Domain.Options PLAIN = new Domain.Options(true, false, false, false);
    private static final Domain.Options WIDE = new Domain.Options(true, true, false, false);
    private static final Set<RecordKind> REQUIRED = ServiceHosts.required(PLAIN);
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");

    private static Map<RecordKind, RecordResult> all(RecordResult finding) {
        Map<RecordKind, RecordResult> findings = new EnumMap<>(RecordKind.class);
        REQUIRED.forEach(kind -> findings.put(kind, finding));
        return findings;
    }

    private static Map<RecordKind, RecordResult> goodBut(RecordKind kind, RecordResult finding) {
        Map<RecordKind, RecordResult> findings = all(RecordResult.VALID);
        findings.put(kind, finding);
        return findings;
    }

    private static VerificationState verified() {
        return VerificationState.NONE
                .after(all(RecordResult.VALID), REQUIRED, T)
                .after(all(RecordResult.VALID), REQUIRED, T.plusSeconds(60));
    }

    @Test
    void twoGoodLooksAMinuteApartVerify() {
        VerificationState first = VerificationState.NONE.after(all(RecordResult.VALID), REQUIRED, T);
        assertThat(first.status()).isEqualTo(Status.VERIFYING);
        assertThat(first.reason()).isEqualTo(Reason.CONFIRMATION_PENDING);
        assertThat(first.after(all(RecordResult.VALID), REQUIRED, T.plusSeconds(59))
                        .status())
                .isEqualTo(Status.VERIFYING);
        assertThat(verified().status()).isEqualTo(Status.VERIFIED);
        assertThat(verified().reason()).isNull();
    }

    @Test
    void missingRecordsPendAndWrongOnesAreInvalid() {
        VerificationState missing =
                VerificationState.NONE.after(goodBut(RecordKind.MX, RecordResult.MISSING), REQUIRED, T);
        assertThat(missing.status()).isEqualTo(Status.PENDING);
        assertThat(missing.reason()).isEqualTo(Reason.DNS_RECORDS_MISSING);
        Map<RecordKind, RecordResult> both = goodBut(RecordKind.MX, RecordResult.MISSING);
        both.put(RecordKind.DMARC, RecordResult.MISMATCH);
        VerificationState invalid = missing.after(both, REQUIRED, T.plusSeconds(30));
        assertThat(invalid.status()).isEqualTo(Status.INVALID);
        assertThat(invalid.reason()).isEqualTo(Reason.DNS_RECORDS_INVALID);
    }

    @Test
    void sendingNeedsTheRecordsOfSendingAlone() {
        for (RecordKind kind : REQUIRED) {
            boolean needed = Set.of(RecordKind.BOUNCE_MX, RecordKind.SPF, RecordKind.DKIM)
                    .contains(kind);
            VerificationState progress = VerificationState.NONE.after(goodBut(kind, RecordResult.MISSING), REQUIRED, T);
            assertThat(progress.sending()).as(kind.name()).isEqualTo(!needed);
            assertThat(progress.provenAt() == null).as(kind.name()).isEqualTo(kind == RecordKind.DKIM);
        }
    }

    @Test
    void aVerifiedDomainFallsAfterTwoBadLooksADayApart() {
        Instant bad = T.plusSeconds(3_600);
        VerificationState once = verified().after(goodBut(RecordKind.SPF, RecordResult.MISMATCH), REQUIRED, bad);
        assertThat(once.status()).isEqualTo(Status.VERIFIED);
        assertThat(once.sending()).isTrue();
        VerificationState soon = once.after(all(RecordResult.MISSING), REQUIRED, bad.plus(Duration.ofHours(23)));
        assertThat(soon.status()).isEqualTo(Status.VERIFIED);
        VerificationState later =
                soon.after(goodBut(RecordKind.SPF, RecordResult.MISMATCH), REQUIRED, bad.plus(Duration.ofHours(24)));
        assertThat(later.status()).isEqualTo(Status.INVALID);
        assertThat(later.sending()).isFalse();
        VerificationState recovered = once.after(all(RecordResult.VALID), REQUIRED, bad.plus(Duration.ofHours(23)))
                .after(all(RecordResult.MISSING), REQUIRED, bad.plus(Duration.ofHours(48)));
        assertThat(recovered.status()).as("the count began anew").isEqualTo(Status.VERIFIED);
    }

    @Test
    void silenceIsNoBadLook() {
        VerificationState dark = verified().after(Map.of(), REQUIRED, T.plus(Duration.ofDays(1)));
        assertThat(dark.status()).isEqualTo(Status.VERIFIED);
        assertThat(dark.after(Map.of(), REQUIRED, T.plus(Duration.ofDays(9))).status())
                .isEqualTo(Status.VERIFIED);
        VerificationState bad = verified().after(all(RecordResult.MISSING), REQUIRED, T.plus(Duration.ofDays(1)));
        assertThat(bad.after(Map.of(), REQUIRED, T.plus(Duration.ofDays(9))).status())
                .as("one bad look and then silence")
                .isEqualTo(Status.VERIFIED);
        VerificationState first = VerificationState.NONE.after(Map.of(), REQUIRED, T);
        assertThat(first.status()).isEqualTo(Status.NOT_STARTED);
        assertThat(first.reason()).isEqualTo(Reason.DNS_LOOKUP_FAILED);
    }

    @Test
    void aConfirmationIsWaitedForADayAndThenOnlyOnRequest() {
        VerificationState verifying = VerificationState.NONE.after(all(RecordResult.VALID), REQUIRED, T);
        VerificationState waiting = verifying.after(Map.of(), REQUIRED, T.plus(Duration.ofHours(23)));
        assertThat(waiting.status()).isEqualTo(Status.VERIFYING);
        assertThat(waiting.reason()).isEqualTo(Reason.DNS_LOOKUP_FAILED);
        VerificationState failed = waiting.after(Map.of(), REQUIRED, T.plus(Duration.ofHours(24)));
        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(CheckSchedule.next(failed, T, T)).isNull();
        Instant asked = T.plus(Duration.ofDays(3));
        VerificationState again = failed.withRequestedCheck(asked).after(all(RecordResult.VALID), REQUIRED, asked);
        assertThat(again.status()).isEqualTo(Status.VERIFYING);
        assertThat(again.after(all(RecordResult.VALID), REQUIRED, asked.plusSeconds(60))
                        .status())
                .isEqualTo(Status.VERIFIED);
    }

    @Test
    void aRecordThatIsNewHasToBeSeenAndOneThatIsGoneCountsNoMore() {
        VerificationState wide = verified().changed(ServiceHosts.required(WIDE));
        assertThat(wide.status()).isEqualTo(Status.PENDING);
        assertThat(wide.sending()).isTrue();
        VerificationState narrow = wide.changed(REQUIRED).after(all(RecordResult.VALID), REQUIRED, T.plusSeconds(120));
        assertThat(narrow.status()).isEqualTo(Status.VERIFYING);
        assertThat(verified().changed(REQUIRED).status()).isEqualTo(Status.VERIFIED);
    }

    @Test
    void checksComeOftenAtFirstAndDailyInTheEnd() {
        VerificationState pending = VerificationState.NONE.after(all(RecordResult.MISSING), REQUIRED, T);
        Instant at = T;
        for (Duration next : new Duration[] {
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofMinutes(15),
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofHours(3)
        }) {
            assertThat(CheckSchedule.next(pending, T, at)).isEqualTo(T.plus(next));
            at = T.plus(next);
        }
        Instant late = T.plus(Duration.ofDays(3));
        assertThat(CheckSchedule.next(pending, T, late)).isEqualTo(late.plus(Duration.ofDays(1)));
        assertThat(CheckSchedule.next(verified(), T, late)).isEqualTo(late.plus(Duration.ofDays(1)));
        VerificationState verifying = VerificationState.NONE.after(all(RecordResult.VALID), REQUIRED, T);
        assertThat(CheckSchedule.next(verifying, T, T)).isEqualTo(T.plusSeconds(60));
    }

    @Test
    void findingsAreStoredAsWords() {
        Map<RecordKind, RecordResult> findings = goodBut(RecordKind.SPF, RecordResult.DUPLICATE);
        assertThat(RecordResult.ofWords(RecordResult.toTexts(findings))).isEqualTo(findings);
    }
}
