package dev.inboxd.tenant.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.tenant.domain.Domain.Reason;
import dev.inboxd.tenant.domain.Domain.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What one check after another makes of a domain (identity.md §11.4). */
class ProgressTest {
    private static final Domain.Options PLAIN = new Domain.Options(true, false, false, false);
    private static final Domain.Options WIDE = new Domain.Options(true, true, false, false);
    private static final Set<RecordKind> REQUIRED = Hosts.required(PLAIN);
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");

    private static Map<RecordKind, Finding> all(Finding finding) {
        Map<RecordKind, Finding> findings = new EnumMap<>(RecordKind.class);
        REQUIRED.forEach(kind -> findings.put(kind, finding));
        return findings;
    }

    private static Map<RecordKind, Finding> goodBut(RecordKind kind, Finding finding) {
        Map<RecordKind, Finding> findings = all(Finding.VALID);
        findings.put(kind, finding);
        return findings;
    }

    private static Progress verified() {
        return Progress.NONE
                .after(all(Finding.VALID), REQUIRED, T)
                .after(all(Finding.VALID), REQUIRED, T.plusSeconds(60));
    }

    @Test
    void twoGoodLooksAMinuteApartVerify() {
        Progress first = Progress.NONE.after(all(Finding.VALID), REQUIRED, T);
        assertThat(first.status()).isEqualTo(Status.VERIFYING);
        assertThat(first.reason()).isEqualTo(Reason.CONFIRMATION_PENDING);
        assertThat(first.after(all(Finding.VALID), REQUIRED, T.plusSeconds(59)).status())
                .isEqualTo(Status.VERIFYING);
        assertThat(verified().status()).isEqualTo(Status.VERIFIED);
        assertThat(verified().reason()).isNull();
    }

    @Test
    void missingRecordsPendAndWrongOnesAreInvalid() {
        Progress missing = Progress.NONE.after(goodBut(RecordKind.MX, Finding.MISSING), REQUIRED, T);
        assertThat(missing.status()).isEqualTo(Status.PENDING);
        assertThat(missing.reason()).isEqualTo(Reason.DNS_RECORDS_MISSING);
        Map<RecordKind, Finding> both = goodBut(RecordKind.MX, Finding.MISSING);
        both.put(RecordKind.DMARC, Finding.MISMATCH);
        Progress invalid = missing.after(both, REQUIRED, T.plusSeconds(30));
        assertThat(invalid.status()).isEqualTo(Status.INVALID);
        assertThat(invalid.reason()).isEqualTo(Reason.DNS_RECORDS_INVALID);
    }

    @Test
    void sendingNeedsTheRecordsOfSendingAlone() {
        for (RecordKind kind : REQUIRED) {
            boolean needed = Set.of(RecordKind.BOUNCE_MX, RecordKind.SPF, RecordKind.DKIM)
                    .contains(kind);
            Progress progress = Progress.NONE.after(goodBut(kind, Finding.MISSING), REQUIRED, T);
            assertThat(progress.sending()).as(kind.name()).isEqualTo(!needed);
            assertThat(progress.provenAt() == null).as(kind.name()).isEqualTo(kind == RecordKind.DKIM);
        }
    }

    @Test
    void aVerifiedDomainFallsAfterTwoBadLooksADayApart() {
        Instant bad = T.plusSeconds(3_600);
        Progress once = verified().after(goodBut(RecordKind.SPF, Finding.MISMATCH), REQUIRED, bad);
        assertThat(once.status()).isEqualTo(Status.VERIFIED);
        assertThat(once.sending()).isTrue();
        Progress soon = once.after(all(Finding.MISSING), REQUIRED, bad.plus(Duration.ofHours(23)));
        assertThat(soon.status()).isEqualTo(Status.VERIFIED);
        Progress later =
                soon.after(goodBut(RecordKind.SPF, Finding.MISMATCH), REQUIRED, bad.plus(Duration.ofHours(24)));
        assertThat(later.status()).isEqualTo(Status.INVALID);
        assertThat(later.sending()).isFalse();
        Progress recovered = once.after(all(Finding.VALID), REQUIRED, bad.plus(Duration.ofHours(23)))
                .after(all(Finding.MISSING), REQUIRED, bad.plus(Duration.ofHours(48)));
        assertThat(recovered.status()).as("the count began anew").isEqualTo(Status.VERIFIED);
    }

    @Test
    void silenceIsNoBadLook() {
        Progress dark = verified().after(Map.of(), REQUIRED, T.plus(Duration.ofDays(1)));
        assertThat(dark.status()).isEqualTo(Status.VERIFIED);
        assertThat(dark.after(Map.of(), REQUIRED, T.plus(Duration.ofDays(9))).status())
                .isEqualTo(Status.VERIFIED);
        Progress bad = verified().after(all(Finding.MISSING), REQUIRED, T.plus(Duration.ofDays(1)));
        assertThat(bad.after(Map.of(), REQUIRED, T.plus(Duration.ofDays(9))).status())
                .as("one bad look and then silence")
                .isEqualTo(Status.VERIFIED);
        Progress first = Progress.NONE.after(Map.of(), REQUIRED, T);
        assertThat(first.status()).isEqualTo(Status.NOT_STARTED);
        assertThat(first.reason()).isEqualTo(Reason.DNS_LOOKUP_FAILED);
    }

    @Test
    void aConfirmationIsWaitedForADayAndThenOnlyOnRequest() {
        Progress verifying = Progress.NONE.after(all(Finding.VALID), REQUIRED, T);
        Progress waiting = verifying.after(Map.of(), REQUIRED, T.plus(Duration.ofHours(23)));
        assertThat(waiting.status()).isEqualTo(Status.VERIFYING);
        assertThat(waiting.reason()).isEqualTo(Reason.DNS_LOOKUP_FAILED);
        Progress failed = waiting.after(Map.of(), REQUIRED, T.plus(Duration.ofHours(24)));
        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(Schedule.next(failed, T, T)).isNull();
        Instant asked = T.plus(Duration.ofDays(3));
        Progress again = failed.asked(asked).after(all(Finding.VALID), REQUIRED, asked);
        assertThat(again.status()).isEqualTo(Status.VERIFYING);
        assertThat(again.after(all(Finding.VALID), REQUIRED, asked.plusSeconds(60))
                        .status())
                .isEqualTo(Status.VERIFIED);
    }

    @Test
    void aRecordThatIsNewHasToBeSeenAndOneThatIsGoneCountsNoMore() {
        Progress wide = verified().changed(Hosts.required(WIDE));
        assertThat(wide.status()).isEqualTo(Status.PENDING);
        assertThat(wide.sending()).isTrue();
        Progress narrow = wide.changed(REQUIRED).after(all(Finding.VALID), REQUIRED, T.plusSeconds(120));
        assertThat(narrow.status()).isEqualTo(Status.VERIFYING);
        assertThat(verified().changed(REQUIRED).status()).isEqualTo(Status.VERIFIED);
    }

    @Test
    void checksComeOftenAtFirstAndDailyInTheEnd() {
        Progress pending = Progress.NONE.after(all(Finding.MISSING), REQUIRED, T);
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
            assertThat(Schedule.next(pending, T, at)).isEqualTo(T.plus(next));
            at = T.plus(next);
        }
        Instant late = T.plus(Duration.ofDays(3));
        assertThat(Schedule.next(pending, T, late)).isEqualTo(late.plus(Duration.ofDays(1)));
        assertThat(Schedule.next(verified(), T, late)).isEqualTo(late.plus(Duration.ofDays(1)));
        Progress verifying = Progress.NONE.after(all(Finding.VALID), REQUIRED, T);
        assertThat(Schedule.next(verifying, T, T)).isEqualTo(T.plusSeconds(60));
    }

    @Test
    void findingsAreStoredAsWords() {
        Map<RecordKind, Finding> findings = goodBut(RecordKind.SPF, Finding.DUPLICATE);
        assertThat(Finding.ofWords(Finding.words(findings))).isEqualTo(findings);
    }
}
