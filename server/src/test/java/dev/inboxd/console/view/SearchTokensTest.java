package dev.inboxd.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was typed into a search is a filter, a word, or a fault that is said. */
class SearchTokensTest {
    @Test
    void filtersAndWordsStandInAnyOrder() {
        SearchTokens tokens =
                SearchTokens.of("plan From:\"Maria Lopez\" label:Urgent has:attachment office in:ada", "");
        assertThat(tokens.words()).isEqualTo("plan office");
        assertThat(tokens.values("senders")).containsExactly("Maria Lopez");
        assertThat(tokens.values("labels")).containsExactly("urgent");
        assertThat(tokens.values("has_attachments")).containsExactly("true");
        assertThat(tokens.values(SearchTokens.INBOX)).containsExactly("ada");
        assertThat(tokens.faults()).isEmpty();
        assertThat(tokens.unknown()).isEmpty();
        assertThat(tokens.without(tokens.filters().getFirst()))
                .isEqualTo("label:Urgent has:attachment in:ada plan office");
    }

    @Test
    void daysBeginInThePersonsZone() {
        assertThat(SearchTokens.of("after:2026-11-30", "America/New_York").values("after"))
                .containsExactly("2026-11-30T05:00:00Z");
        assertThat(SearchTokens.of("before:2026-11-30T01:00:00+01:00", "").values("before"))
                .containsExactly("2026-11-30T00:00:00Z");
        assertThat(SearchTokens.of("after:2026-11-30", "no zone").values("after"))
                .containsExactly("2026-11-30T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        "has:cake, The filter has:",
        "waiting:us, The filter waiting:",
        "before:yesterday, The filter before:",
        "from:, The filter from:"
    })
    void aFilterThatCannotBeIsSaid(String typed, String fault) {
        assertThat(SearchTokens.of(typed, "").faults())
                .singleElement()
                .asString()
                .startsWith(fault);
    }

    @Test
    void whatOnlyLooksLikeAFilterIsAWordAndSaid() {
        SearchTokens tokens = SearchTokens.of("cc:jo -from:eve https://a.test 12:30 Re:", "");
        assertThat(tokens.unknown()).containsExactly("cc:jo", "-from:eve");
        assertThat(tokens.words()).isEqualTo("cc:jo -from:eve https://a.test 12:30 Re:");
        assertThat(tokens.filters()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "from:\u201cMaria Lopez\u201d",
                "from:\u201eMaria Lopez\u201c",
                "from:\u00abMaria Lopez\u00bb",
                "From\uff1a\"Maria Lopez\"",
                "\u200bfrom:\"Maria Lopez\"\ufeff",
                "\u00a0from:\u200e\"Maria Lopez\"\u00a0"
            })
    void quotationMarksAndColonsOfOtherLanguagesAreThese(String typed) {
        SearchTokens tokens = SearchTokens.of(typed, "");
        assertThat(tokens.values("senders")).containsExactly("Maria Lopez");
        assertThat(tokens.words()).isEmpty();
        assertThat(tokens.faults()).isEmpty();
    }

    @Test
    void aQuotationThatDoesNotEndIsSaid() {
        assertThat(SearchTokens.of("plan from:\"Maria Lopez office", "").faults())
                .containsExactly("A quotation mark is not closed");
    }

    @Test
    void moreThanCanBeLookedForIsSaid() {
        assertThat(SearchTokens.of("label:a ".repeat(21), "").faults())
                .containsExactly("A search has at most 20 filters");
        assertThat(SearchTokens.of("word ".repeat(60), "").faults()).hasSize(1);
    }

    @Test
    void foundWordsAreMarkedInTheWholeText() {
        assertThat(MarkedText.of("a **plan** of **it**").parts())
                .containsExactly(
                        new MarkedText.Part("a ", false),
                        new MarkedText.Part("plan", true),
                        new MarkedText.Part(" of ", false),
                        new MarkedText.Part("it", true));
        assertThat(MarkedText.of("2 ** 3").parts())
                .containsExactly(new MarkedText.Part("2 ", false), new MarkedText.Part(" 3", false));
        assertThat(MarkedText.in("Maria → ada", List.of("**Mari**a <m@x.test>")).parts())
                .containsExactly(new MarkedText.Part("Mari", true), new MarkedText.Part("a → ada", false));
    }
}
