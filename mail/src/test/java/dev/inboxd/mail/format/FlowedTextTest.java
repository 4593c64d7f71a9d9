package dev.inboxd.mail.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlowedTextTest {
    @Test
    void aLineThatEndsWithASpaceGoesOn() {
        assertThat(FlowedText.join("one \ntwo\nthree \n", false)).isEqualTo("one two\nthree ");
        assertThat(FlowedText.join("Über \nsetzung \n  \nhier\n", true)).isEqualTo("Übersetzunghier\n");
    }

    @Test
    void quotationsAreJoinedByDepthAndASignatureEndsAParagraph() {
        assertThat(FlowedText.join("> a \n> b\n>> c \n> d\nown \n-- \nAnn", false))
                .isEqualTo("> a b\n>> c \n> d\nown \n-- \nAnn");
    }

    @Test
    void stuffedLinesAreTheAuthorsOwn() {
        assertThat(FlowedText.join(" >no quotation\n From here\n  two", false))
                .isEqualTo(" >no quotation\nFrom here\n two");
    }
}
