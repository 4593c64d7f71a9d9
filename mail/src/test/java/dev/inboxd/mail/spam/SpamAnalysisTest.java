package dev.inboxd.mail.spam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a look at a message finds, and what is learned from it. */
class SpamAnalysisTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

    private static final String PLAIN = """
            From: Jo Doe <jo@example.org>
            To: agent@example.net
            Date: Sun, 22 Nov 2026 09:59:00 +0000
            Message-ID: <1@example.org>
            Subject: The order
            """;

    @Test
    void honestMailHasNoFacts() {
        assertThat(facts(PLAIN + "\nThree hundred, please. See https://www.example.org/orders.\n"))
                .isEmpty();
        assertThat(facts(PLAIN + "Content-Type: text/html\n\n<p>Your code is <b>123456</b>, or "
                        + "<a href=\"https://id.example.org/x\">https://www.example.org/</a></p>"))
                .isEmpty();
    }

    @Test
    void theTestForUnsolicitedMailIsAlwaysSpam() {
        SpamAnalysis found = look(PLAIN + "\nHello\n" + SpamRuleMatcher.TEST_TEXT + "\n", false);
        assertThat(found.facts()).containsExactly(SpamRule.TEST);
        assertThat(found.points()).isGreaterThanOrEqualTo(SpamRule.ENOUGH);
        assertThat(facts(PLAIN + "Content-Type: text/html\n\n<p>" + SpamRuleMatcher.TEST_TEXT))
                .containsExactly(SpamRule.TEST);
    }

    @Test
    void eachFactIsSeenWhereItIs() {
        assertThat(facts("From: jo@example.org\n\nx")).containsExactly(SpamRule.NO_DATE);
        assertThat(facts(PLAIN.replace("From: Jo Doe <jo@example.org>\n", "") + "\nx"))
                .containsExactly(SpamRule.NO_AUTHOR);
        assertThat(facts(PLAIN.replace("2026", "2016") + "\nx")).containsExactly(SpamRule.ANOTHER_TIME);
        assertThat(facts(PLAIN.replace("Jo Doe", "\"service@bank.test\"") + "\nx"))
                .containsExactly(SpamRule.NAME_IS_OTHER_ADDRESS);
        assertThat(facts(PLAIN.replace("Jo Doe", "\"sales@mail.example.org\"") + "\nx"))
                .isEmpty();
        assertThat(facts(PLAIN + "Reply-To: x@other.test\n\nx")).containsExactly(SpamRule.ANSWERS_ELSEWHERE);
        assertThat(facts(PLAIN.replace("The order", "BUY IT NOW!!!") + "\nx"))
                .containsExactly(SpamRule.SHOUTED_SUBJECT);
        assertThat(facts(PLAIN.replace("The order", "Re: The order") + "\nx"))
                .containsExactly(SpamRule.PRETENDED_ANSWER);
        assertThat(facts(PLAIN.replace("The order", "Re: The order") + "In-Reply-To: <0@example.net>\n\nx"))
                .isEmpty();
        assertThat(facts(PLAIN + "\nVi\u0430gra, c\u0456alis, p\u0430yp\u0430l\n"))
                .containsExactly(SpamRule.DISGUISED_WORDS);
        assertThat(facts(PLAIN + "\nSMS\u043a\u0438 \u0438 USB\u0448\u043d\u0443\u0440 \u0438 VPN\u043e\u043c\n"))
                .as("endings of foreign words")
                .isEmpty();
        assertThat(facts(PLAIN + "\nhttp://198.51.100.7/login\n")).containsExactly(SpamRule.LINK_TO_NUMBERS);
        assertThat(facts(PLAIN
                        + "Content-Type: text/html\n\n<p>Please <a href='http://evil.test/'>https://www.bank.test</a>"
                        + " to see all that we have prepared for you today</p>"))
                .containsExactly(SpamRule.LINK_TO_ELSEWHERE);
        assertThat(facts(PLAIN + "Content-Type: text/html\n\n<form><input type=\"password\"></form>"))
                .containsExactly(SpamRule.ASKS_FOR_PASSWORD);
        assertThat(facts(PLAIN + "Content-Type: text/html\n\n<img src=\"https://x.test/1.png\"> Hi"))
                .containsExactly(SpamRule.HARDLY_A_WORD);
        assertThat(facts(PLAIN
                        + "Content-Type: application/zip\nContent-Disposition: attachment; filename=\"invoice.pdf.exe\""
                        + "\n\nx"))
                .containsExactly(SpamRule.RUNS_WHEN_OPENED);
        assertThat(facts(PLAIN + "Subject: Another\n\nx")).containsExactly(SpamRule.AMBIGUOUS);
        assertThat(look(PLAIN + "\nx", true).facts())
                .containsExactlyInAnyOrder(SpamRule.FORBIDDEN_SENDER, SpamRule.UNAUTHENTICATED);
    }

    @Test
    void noSingleFactButTheTestIsSpam() {
        for (SpamRule fact : EnumSet.complementOf(EnumSet.of(SpamRule.TEST))) {
            assertThat(fact.points()).as(fact.name()).isBetween(0.1, SpamRule.ENOUGH - 0.1);
        }
    }

    @Test
    void anyTextIsReadInBoundedTimeAndSpace() {
        for (String evil : new String[] {
            "<",
            "<!--",
            "<a href=\"",
            "&#",
            "&#x41",
            "://",
            "a://",
            "<a><a><a",
            "\u0000",
            "a'",
            "<a href=http://x.y>http://",
            "x\u200By",
            "<style>",
            "</a>",
            "\uD800",
            "\u4E2D"
        }) {
            String text = evil.repeat(200_000 / evil.length());
            SpamAnalysis found = look(PLAIN + "Content-Type: text/html; charset=utf-8\n\n" + text, false);
            assertThat(found.features().size()).as(evil).isLessThanOrEqualTo(Features.MOST);
            assertThat(look(PLAIN + "Content-Type: text/plain; charset=utf-8\n\n" + text, false)
                            .features()
                            .size())
                    .as(evil)
                    .isLessThanOrEqualTo(Features.MOST);
        }
    }

    @Test
    void whatIsLearnedIsTakenBackWhole() {
        FeatureCounts counts = new FeatureCounts();
        counts.learn(look(PLAIN + "\nThree hundred, please.\n", false).features(), false);
        byte[] before = counts.deflated();
        Features spam = look(PLAIN + "\nBuy this at once.\n", false).features();
        counts.learn(spam, true);
        assertThat(counts.messages(true)).isEqualTo(1);
        counts.forget(spam, true);
        assertThat(entries(counts)).isEqualTo(entries(FeatureCounts.inflated(before)));
        assertThat(counts.messages(true)).isZero();
        counts.forget(spam, true);
        assertThat(counts.messages(true)).as("never below nothing").isZero();
    }

    @Test
    @Proves("P11d")
    void whateverIsLearnedTheSizeIsBoundedAndWhatIsCommonStays() {
        FeatureCounts counts = new FeatureCounts();
        for (int i = 0; i < 2_000; i++) {
            String words = IntStream.range(i * 100, i * 100 + 100)
                    .mapToObj(word -> "w" + word)
                    .collect(Collectors.joining(" "));
            counts.learn(look(PLAIN + "\nalways " + words + "\n", false).features(), i % 2 == 0);
        }
        assertThat(counts.size()).isLessThanOrEqualTo(FeatureCounts.MOST);
        assertThat(FeatureCounts.inflated(counts.deflated()).size()).isEqualTo(counts.size());
        assertThat(counts.deflated().length).isLessThan(2 * 1024 * 1024);
        Features common = look(PLAIN + "\nalways\n", false).features();
        Set<String> kept = entries(counts);
        common.forEach(hash -> assertThat(kept).anyMatch(entry -> entry.startsWith(hash + ":")));
    }

    @Test
    void mailLikeWhatWasMarkedIsSpamAndTheRestIsNot() {
        FeatureCounts counts = new FeatureCounts();
        for (int i = 0; i < FeatureWeights.LEAST; i++) {
            assertThat(FeatureWeights.of(counts)).as("too little to judge by").isEmpty();
            counts.learn(look(spam(i), false).features(), true);
            counts.learn(look(clean(i), false).features(), false);
        }
        FeatureWeights weights =
                FeatureWeights.of(FeatureCounts.inflated(counts.deflated())).orElseThrow();
        assertThat(weights.evidence(look(spam(99), false).features())).isGreaterThan(FeatureWeights.SPAM);
        assertThat(weights.evidence(look(clean(99), false).features())).isLessThan(0);
        assertThat(weights.evidence(
                        look("From: x@y.test\nSubject: q\n\nzzz yyy", false).features()))
                .isLessThan(FeatureWeights.SPAM);
    }

    private static String spam(int i) {
        return PLAIN.replace("jo@example.org", "offer" + i + "@cheap.test")
                        .replace("The order", "Cheap pills for you " + i)
                + "\nBuy cheap pills now, number " + i + ", at http://pills" + i + ".cheap.test/\n";
    }

    private static String clean(int i) {
        return PLAIN.replace("The order", "Order " + i) + "\nPlease send item " + i + " to our office by Thursday.\n";
    }

    private static Set<String> entries(FeatureCounts counts) {
        Set<String> entries = new HashSet<>();
        counts.forEach((hash, spam, clean) -> entries.add(hash + ":" + spam + ":" + clean));
        return entries;
    }

    private static Set<SpamRule> facts(String message) {
        return look(message, false).facts();
    }

    private static SpamAnalysis look(String message, boolean nobodys) {
        byte[] octets = message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        return SpamAnalysis.of(
                MessageParser.parse(new ByteArrayInputStream(octets)), new SpamAnalysis.Context(NOW, nobodys, nobodys));
    }
}
