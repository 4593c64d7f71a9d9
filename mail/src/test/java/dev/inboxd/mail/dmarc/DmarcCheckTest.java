package dev.inboxd.mail.dmarc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.TestZone;
import dev.inboxd.testing.Proves;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DmarcCheckTest {
    private final TestZone zone = new TestZone();

    /** The three examples of RFC 9989 §4.10.2, and what else the rules say. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "a.mail.example.com | mail.example.com:u, example.com:u | example.com",
                "a.mail.example.com | mail.example.com:n                | mail.example.com",
                "a.mail.example.com | com:y                             | example.com",
                "a.mail.example.com | -                                 | a.mail.example.com",
                "a.mail.example.com | mail.example.com:n, example.com:u | mail.example.com",
                "a.mail.example.com | example.com:y                     | mail.example.com",
                "example.com        | example.com:y                     | example.com",
                "gov.example        | gov.example:y, example:u          | gov.example",
                "www.shop.co.test   | co.test:y                         | shop.co.test",
            })
    void theOrganizationalDomainIsFoundOnTheWayUp(String domain, String records, String organizational) {
        for (String record : records == null ? new String[0] : records.split(", ", -1)) {
            int colon = record.indexOf(':');
            publish(
                    record.substring(0, colon),
                    "p=none; psd=" + record.substring(colon + 1).strip());
        }
        assertThat(new TreeWalk(zone).organizationalDomain(domain)).isEqualTo(organizational);
    }

    @Test
    @Proves("A11")
    void aLongNameCostsEightQuestions() {
        publish("i.j.mail.example.com", "p=reject");
        TreeWalk walk = new TreeWalk(zone);
        assertThat(walk.from("a.b.c.d.e.f.g.h.i.j.mail.example.com"))
                .extracting(TreeWalk.Stop::domain)
                .containsExactly("i.j.mail.example.com");
        assertThat(zone.asked()).isEqualTo(8);
        walk.from("a.b.c.d.e.f.g.h.i.j.mail.example.com");
        assertThat(zone.asked()).as("each is asked once").isEqualTo(8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v=DMARC1; p=reject              | example.com     | reject",
                "v=DMARC1; p=reject              | x.example.com   | reject",
                "v=DMARC1;p=reject;sp=none       | x.example.com   | none",
                "v=DMARC1; p=reject; sp=none     | example.com     | reject",
                "v=DMARC1; p=none; np=reject     | x.example.com   | reject",
                "v=DMARC1; p=none; np=reject     | is.example.com  | none",
                "v=DMARC1; p=reject; t=y         | example.com     | quarantine",
                "v=DMARC1; p=quarantine; t=y     | example.com     | none",
                "v=DMARC1; p=quarantine; t=n     | example.com     | quarantine",
                "v=DMARC1; P = Reject ; x=y;     | example.com     | reject",
                "v=DMARC1; p=nonsense; rua=mailto:a@b.test | example.com | none",
                "v=DMARC1; rua=mailto:a@b.test   | example.com     | none",
            })
    void thePolicyIsThatOfTheDomainOrOfTheOneAboveIt(String record, String domain, String policy) {
        zone.add("_dmarc.example.com", "TXT", record).add("is.example.com", "A", "192.0.2.1");
        DmarcResult result = check(domain);
        assertThat(result.outcome()).isEqualTo(AuthResult.FAIL);
        assertThat(result.policy()).isEqualTo(DmarcPolicy.parse(policy));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v=DMARC2; p=reject",
                "v=dmarc1; p=reject",
                "p=reject; v=DMARC1",
                "v=DMARC1; p=nonsense",
                "v=DMARC1",
                "v=DMARC1; p=reject; sp=nonsense",
                "v=spf1 -all",
            })
    void whatIsNoPolicyAsksForNothing(String record) {
        zone.add("_dmarc.example.com", "TXT", record);
        assertThat(check("example.com")).isEqualTo(new DmarcResult(AuthResult.NONE, "example.com", null));
    }

    @Test
    void twoPoliciesAreNone() {
        publish("example.com", "p=reject");
        publish("example.com", "p=none");
        assertThat(check("example.com").outcome()).isEqualTo(AuthResult.NONE);
    }

    @Test
    void aPublicSuffixSpeaksForDomainsThatDoNot() {
        publish("test", "psd=y; p=none; sp=quarantine; np=reject");
        zone.exists("real.test");
        assertThat(check("real.test").policy()).isEqualTo(DmarcPolicy.QUARANTINE);
        assertThat(check("unreal.test").policy()).isEqualTo(DmarcPolicy.REJECT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p=reject                 | news.example.com | example.com      | true  | pass",
                "p=reject                 | news.example.com | foo.example.com  | true  | pass",
                "p=reject                 | news.example.com | news.example.com | false | pass",
                "p=reject                 | news.example.com | example.net      | true  | fail",
                "p=reject                 | news.example.com | com              | true  | fail",
                "p=reject                 | news.example.com | badexample.com   | true  | fail",
                "p=reject; adkim=s        | news.example.com | example.com      | true  | fail",
                "p=reject; adkim=s        | news.example.com | example.com      | false | pass",
                "p=reject; aspf=s         | news.example.com | example.com      | false | fail",
                "p=reject; aspf=s; adkim=s| news.example.com | news.example.com | true  | pass",
            })
    void aDomainPassesWithWhatVouchesForItsOwn(
            String record, String author, String vouched, boolean dkim, String outcome) {
        publish("example.com", record);
        DmarcResult result =
                new DmarcCheck(zone).result(author, List.of(new AuthenticatedDomain(vouched, dkim)), List.of());
        assertThat(result.outcome().wireName()).isEqualTo(outcome);
    }

    /** The records of example.com and of com; none for a dash. */
    @ParameterizedTest
    @Proves("A9d")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "-                   | -             | news.example.com | news.example.com  | true",
                "-                   | -             | news.example.com | example.com       | true",
                "-                   | -             | a.b.example.com  | example.com       | true",
                "-                   | -             | example.com      | mail.example.com  | false",
                "-                   | -             | news.example.com | mail.example.com  | false",
                "-                   | -             | example.com      | com               | false",
                "-                   | -             | example.com      | xexample.com      | false",
                "-                   | -             | example.com      | example.net       | false",
                "p=none              | -             | example.com      | mail.example.com  | true",
                "p=none              | -             | news.example.com | mail.example.com  | true",
                "p=none              | -             | example.com      | example.net       | false",
                "p=reject; adkim=s; aspf=s | -       | news.example.com | mail.example.com  | true",
                "-                   | p=none; psd=y | example.com      | other.com         | false",
                "-                   | p=none; psd=y | example.com      | com               | false",
                "-                   | p=none; psd=y | a.example.com    | b.example.com     | true",
            })
    void aDomainIsAlignedInRelaxedModeAlsoWithoutAPolicy(
            String record, String suffix, String author, String vouched, boolean aligned) {
        if (record != null) {
            publish("example.com", record);
        }
        if (suffix != null) {
            publish("com", suffix);
        }
        List<AuthenticatedDomain> passed =
                List.of(new AuthenticatedDomain("x.test", true), new AuthenticatedDomain(vouched, false));
        assertThat(new DmarcCheck(zone).isAligned(author, passed)).isEqualTo(aligned);
    }

    @Test
    @Proves("A9d")
    void whileTheDnsGivesNoAnswerTheVeryDomainAloneIsAligned() {
        zone.failing("_dmarc.example.com", "TXT");
        DmarcCheck check = new DmarcCheck(zone);
        assertThat(check.isAligned("example.com", List.of(new AuthenticatedDomain("example.com", true))))
                .isTrue();
        assertThat(check.isAligned("news.example.com", List.of(new AuthenticatedDomain("example.com", true))))
                .isFalse();
    }

    @Test
    void withoutAnAnswerNothingIsSaid() {
        zone.failing("_dmarc.example.com", "TXT");
        assertThat(check("example.com").outcome()).isEqualTo(AuthResult.TEMPERROR);
        publish("other.com", "p=none; np=reject");
        zone.failing("x.other.com", "A");
        assertThat(check("x.other.com").outcome()).isEqualTo(AuthResult.TEMPERROR);
    }

    /** A check that the DNS left open may still pass, so nothing has failed; if it is of the author's own domain. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p=reject          | example.com      | true  | temperror",
                "p=reject          | foo.example.com  | false | temperror",
                "p=reject; adkim=s | foo.example.com  | true  | fail",
                "p=reject          | example.net      | true  | fail",
            })
    void whatMayYetPassHasNotFailed(String record, String undecided, boolean dkim, String outcome) {
        publish("example.com", record);
        DmarcResult result = new DmarcCheck(zone)
                .result("example.com", List.of(), List.of(new AuthenticatedDomain(undecided, dkim)));
        assertThat(result)
                .isEqualTo(new DmarcResult(
                        AuthResult.valueOf(outcome.toUpperCase(Locale.ROOT)), "example.com", DmarcPolicy.REJECT));
        assertThat(result.demands(DmarcPolicy.REJECT)).isEqualTo(outcome.equals("fail"));
        AuthenticatedDomain own = new AuthenticatedDomain("example.com", true);
        assertThat(new DmarcCheck(zone)
                        .result("example.com", List.of(own), List.of(own))
                        .outcome())
                .isEqualTo(AuthResult.PASS);
    }

    /** The policy was asked for first, so whoever makes the rest slow has not made it unknown. */
    @Test
    void aPolicyThatWasAskedForAheadStaysKnown() {
        publish("example.com", "p=reject");
        DmarcCheck check = new DmarcCheck(zone);
        check.prefetch("example.com");
        zone.failing("_dmarc.example.com", "TXT").failing("_dmarc.sub.example.com", "TXT");
        assertThat(check.result("example.com", List.of(), List.of()).demands(DmarcPolicy.REJECT))
                .isTrue();
        DmarcResult open =
                check.result("example.com", List.of(new AuthenticatedDomain("sub.example.com", true)), List.of());
        assertThat(open).isEqualTo(new DmarcResult(AuthResult.TEMPERROR, "example.com", DmarcPolicy.REJECT));
        assertThat(open.mayDemand()).isTrue();
    }

    @Test
    void aStrangersDnsKeepsNoPolicyFromItsMail() {
        publish("example.com", "p=reject");
        zone.failing("_dmarc.example.net", "TXT").failing("_dmarc.net", "TXT");
        DmarcResult result = new DmarcCheck(zone)
                .result("example.com", List.of(new AuthenticatedDomain("example.net", true)), List.of());
        assertThat(result.demands(DmarcPolicy.REJECT)).isTrue();
    }

    private DmarcResult check(String domain) {
        return new DmarcCheck(zone).result(domain, List.of(), List.of());
    }

    private void publish(String domain, String tags) {
        zone.add("_dmarc." + domain, "TXT", "v=DMARC1; " + tags);
    }
}
