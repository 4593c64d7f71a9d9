package dev.inboxd.cli.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as PowerShell writes them. */
class TextFileTest {
    private static final String TEXT = "Grüße, 日本";

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
    void aByteOrderMarkTellsTheCharsetAndIsNoPartOfTheText(String charset) {
        byte[] file = ("\uFEFF" + TEXT).getBytes(Charset.forName(charset));
        assertThat(new String(TextFile.plain(file), StandardCharsets.UTF_8)).isEqualTo(TEXT);
    }

    @Test
    void aFileWithoutOneStaysAsItIs() {
        for (String text : new String[] {TEXT, "", "x"}) {
            byte[] file = text.getBytes(StandardCharsets.UTF_8);
            assertThat(TextFile.plain(file)).isSameAs(file);
        }
    }
}
