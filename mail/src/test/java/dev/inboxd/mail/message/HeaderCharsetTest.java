package dev.inboxd.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A sender names the charset of the text, and so of a header without one: that must not change who wrote the mail. */
class HeaderCharsetTest {
    private static Stream<Charset> charsets() {
        return Charset.availableCharsets().values().stream();
    }

    @ParameterizedTest
    @Proves("A9")
    @MethodSource("charsets")
    void noCharsetShowsAnotherAuthorThanTheOneThatIsJudged(Charset charset) {
        Random random = new Random(7);
        for (int round = 0; round < 20; round++) {
            byte[] phrase = new byte[24];
            for (int i = 0; i < phrase.length; i++) {
                phrase[i] = (byte) (0x80 + random.nextInt(0x80));
            }
            assertThat(authors(charset, phrase)).containsExactly("evil@attacker.test");
        }
    }

    @ParameterizedTest
    @Proves("A9")
    @MethodSource("charsets")
    void noCharsetHidesAnAuthorInTheOctetsOfAName(Charset charset) {
        if (charset.canEncode()) {
            byte[] hidden = "ceo@bank.test, <x> \"y\" ".getBytes(charset);
            byte[] name = new String(hidden, StandardCharsets.ISO_8859_1).matches("(?s).*[\u0080-\u00FF].*")
                    ? hidden
                    : new byte[] {(byte) 0xE9};
            List<String> unlabelled = authors(StandardCharsets.US_ASCII, name);
            assertThat(authors(charset, name)).isEqualTo(unlabelled);
        }
    }

    private static List<String> authors(Charset charset, byte[] phrase) {
        String mail = "From: " + new String(phrase, StandardCharsets.ISO_8859_1).replaceAll("[\r\n]", "x")
                + " <evil@attacker.test>\r\nContent-Type: text/plain; charset=" + charset.name() + "\r\n\r\nx";
        return MessageParser.parse(new ByteArrayInputStream(mail.getBytes(StandardCharsets.ISO_8859_1)))
                .addresses()
                .from()
                .stream()
                .map(MailAddress::address)
                .toList();
    }
}
