package dev.inboxd.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.id.Uuid7;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.testing.Proves;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReturnPathsTest {
    private static final byte[] KEY = key(1);
    private static final ReturnPaths PATHS = new ReturnPaths(List.of(KEY));

    private static byte[] key(int octet) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) octet);
        return key;
    }

    private static ReturnPath path(int position) {
        return new ReturnPath(Uuid7.next(), Uuid7.next(), position);
    }

    @Test
    void whatWasSignedIsRead() {
        for (int i = 0; i < 1_000; i++) {
            ReturnPath path = path(1 + i % ReturnPath.LAST);
            assertThat(PATHS.read(PATHS.sign(path))).contains(path);
        }
    }

    @Test
    void theLargestPathFitsALocalPart() {
        UUID largest = new UUID(0xFFFF_FFFF_FFFF_7FFFL, 0xBFFF_FFFF_FFFF_FFFFL);
        ReturnPath path = new ReturnPath(largest, largest, ReturnPath.LAST);
        assertThat(PATHS.sign(path)).hasSizeLessThanOrEqualTo(64).matches("bounce\\+[0-9a-z]+");
        assertThat(PATHS.read(PATHS.sign(path))).contains(path);
    }

    @Test
    void everyRecipientOfAMessageHasAPlaceInAPath() {
        assertThat(OutgoingMessage.MOST_RECIPIENTS).isLessThanOrEqualTo(ReturnPath.LAST);
    }

    @Test
    void theCaseOfLettersDoesNotMatter() {
        ReturnPath path = path(3);
        assertThat(PATHS.read(PATHS.sign(path).toUpperCase(Locale.ROOT))).contains(path);
    }

    @Test
    @Proves("A42")
    void noChangedCharacterIsBelieved() {
        String signed = PATHS.sign(path(1));
        for (int at = ReturnPaths.PREFIX.length(); at < signed.length(); at++) {
            char other = signed.charAt(at) == '0' ? '1' : '0';
            assertThat(PATHS.read(signed.substring(0, at) + other + signed.substring(at + 1)))
                    .isEmpty();
        }
    }

    @Test
    @Proves("A42")
    void aPathOfOneRecipientGivesNoneOfAnother() {
        ReturnPath one = path(1);
        ReturnPath two = new ReturnPath(one.organization(), one.submission(), 2);
        String code = PATHS.sign(one).substring(PATHS.sign(one).length() - 8);
        assertThat(PATHS.sign(two)).doesNotEndWith(code);
    }

    @Test
    void nothingElseIsAReturnPath() {
        for (String text : List.of(
                "",
                "bounce",
                "bounce+",
                "bounce+-1",
                "bounce+ff ff",
                "bounce+é",
                "bounced+1",
                "bounce+" + "z".repeat(57),
                "bounce+" + "z".repeat(5_000),
                "bounce+0")) {
            assertThat(PATHS.read(text)).as(text).isEmpty();
        }
    }

    @Test
    void aKeyThatWasReplacedStillReads() {
        ReturnPath path = path(9);
        String signed = PATHS.sign(path);
        assertThat(new ReturnPaths(List.of(key(2), KEY)).read(signed)).contains(path);
        assertThat(new ReturnPaths(List.of(key(2))).read(signed)).isEmpty();
    }

    @Test
    void anIdThatCannotBeWrittenIsRefused() {
        assertThatThrownBy(() -> new ReturnPath(new UUID(0, 0), Uuid7.next(), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> path(64)).isInstanceOf(IllegalArgumentException.class);
    }
}
