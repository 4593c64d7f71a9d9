package dev.inboxd.mail.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\u00E9", "\uD83D\uDE00", "a\uD83D\uDE00\uD83D\uDE00b", "\uFFFD"})
    void whatUtf8CanSayPasses(String text) {
        assertThat(SafeText.encodable("text", text)).isSameAs(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xD83D, 0xDE00, 0xD800, 0xDFFF})
    void halfAPairIsRefusedWhereverItStands(int half) {
        String alone = String.valueOf((char) half);
        for (String text : new String[] {alone, alone + "a", "a" + alone, "\uD83D\uDE00" + alone, alone + "\uD800"}) {
            assertThatThrownBy(() -> SafeText.encodable("text", text)).isInstanceOf(MalformedFieldException.class);
        }
    }

    @Test
    void aPairTheWrongWayRoundIsRefused() {
        assertThatThrownBy(() -> SafeText.header("subject", "\uDE00\uD83D"))
                .isInstanceOf(MalformedFieldException.class);
    }

    @Test
    void plainIsVisibleAsciiAndBlanks() {
        assertThat(SafeText.isPlain(" ~\t")).isTrue();
        assertThat(SafeText.isPlain("\u007F")).isFalse();
        assertThat(SafeText.isPlain("\r")).isFalse();
        assertThat(SafeText.isPlain("\u0080")).isFalse();
        assertThat(SafeText.isAscii("\u007F\r\0")).isTrue();
        assertThat(SafeText.isAscii("a\u0080")).isFalse();
    }
}
