package dev.inboxd.mail.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How octets become lines. */
class CalendarTextTest {
    private static final String EVENT = CalendarFiles.whole(CalendarFiles.event("SUMMARY:Café “Süd” 😀"));
    private static final String TITLE = "Café “Süd” 😀";

    @Test
    void everyKindOfLineEndIsOne() {
        for (String end : List.of("\r\n", "\n", "\r", "\r\r\n", "\n\n", "\r\n\r\n")) {
            assertThat(title(utf8(EVENT.replace("\r\n", end)), null)).isEqualTo(TITLE);
        }
        assertThat(title(utf8(EVENT.strip()), null)).isEqualTo(TITLE);
    }

    @Test
    void aLineIsFoldedAnywhereAlsoWithinACharacter() {
        for (String end : List.of("\r\n ", "\n ", "\r\t", "\r\n\t", "\r\r\n ")) {
            for (int each = 1; each < 5; each++) {
                byte[] octets = utf8(EVENT);
                List<Byte> folded = new ArrayList<>();
                int column = 0;
                for (byte octet : octets) {
                    if (octet == '\r' || octet == '\n') {
                        column = 0;
                    } else if (column++ % each == 0 && column > 1) {
                        for (byte fold : utf8(end)) {
                            folded.add(fold);
                        }
                    }
                    folded.add(octet);
                }
                byte[] all = new byte[folded.size()];
                for (int i = 0; i < all.length; i++) {
                    all[i] = folded.get(i);
                }
                assertThat(title(all, null)).isEqualTo(TITLE);
            }
        }
    }

    @Test
    void aByteOrderMarkIsSkipped() {
        assertThat(title(utf8("\uFEFF" + EVENT), null)).isEqualTo(TITLE);
        assertThat(title(utf8("\uFEFF" + EVENT), "utf-8")).isEqualTo(TITLE);
    }

    @Test
    void aWesternCharsetIsReadWhereThePartNamesOne() {
        String western = EVENT.replace(" 😀", "");
        byte[] octets = western.getBytes(Charset.forName("windows-1252"));
        for (String charset : List.of("iso-8859-1", "ISO-8859-1", "windows-1252", "Latin1", "us-ascii")) {
            assertThat(title(octets, charset)).isEqualTo("Café “Süd”");
        }
        for (String charset : new String[] {null, "utf-8", "x-unknown", "iso-8859-7", "utf-16"}) {
            assertThat(CalendarFiles.refusalOf(result(octets, charset))).isEqualTo("It is not in UTF-8");
        }
        byte[] euro = western.replace("Café “Süd”", "5 €").getBytes(Charset.forName("ISO-8859-15"));
        assertThat(title(euro, "iso-8859-15")).isEqualTo("5 €");
    }

    @Test
    void whatIsCalledAsciiAndIsUtf8IsReadAsThat() {
        assertThat(title(utf8(EVENT), "us-ascii")).isEqualTo(TITLE);
        assertThat(title(utf8(EVENT), "iso-8859-7")).isEqualTo(TITLE);
    }

    @Test
    void whatIsNoTextIsRefused() {
        assertThat(CalendarFiles.refusalOf(EVENT.replace("Café", "Caf\0"))).isEqualTo("It has a NUL");
        byte[] surrogate = EVENT.replace("Café", "Caf\u00ff\u00ff\u00ff").getBytes(StandardCharsets.ISO_8859_1);
        for (int[] octets :
                new int[][] {{0xED, 0xA0, 0x80}, {0xC0, 0xAF, 'a'}, {0xF5, 0x80, 0x80}, {0xE2, 0x82, '('}}) {
            byte[] bad = surrogate.clone();
            int at = new String(bad, StandardCharsets.ISO_8859_1).indexOf('\u00ff');
            for (int i = 0; i < octets.length; i++) {
                bad[at + i] = (byte) octets[i];
            }
            assertThat(CalendarFiles.refusalOf(result(bad, null))).isEqualTo("It is not in UTF-8");
        }
        assertThat(CalendarFiles.refusalOf(EVENT.replace("\r\n", " "))).isEqualTo("It has no line ends");
        assertThat(CalendarFiles.refusalOf("")).isEqualTo("It has no line ends");
        assertThat(CalendarFiles.refusalOf("\r\n")).isEqualTo("There is no calendar");
        assertThat(CalendarFiles.refusalOf("Hello\r\n" + EVENT)).isEqualTo("There is text beside the calendar");
        assertThat(CalendarFiles.refusalOf(EVENT + "--\r\nSent to the list\r\n"))
                .isEqualTo("There is text beside the calendar");
    }

    @Test
    void whatIsLongerThanOneMebibyteIsRefused() {
        String head = "BEGIN:VCALENDAR\r\nX-A:";
        String tail = "\r\n" + CalendarFiles.event() + "END:VCALENDAR";
        String filler = "a".repeat(1024 * 1024 - head.length() - tail.length());
        assertThat(CalendarFiles.result(head + filler + tail)).isInstanceOf(ReadResult.Calendar.class);
        assertThat(CalendarFiles.refusalOf(head + filler + "a" + tail)).isEqualTo("It has more than 1 MiB");
    }

    private static String title(byte[] octets, @Nullable String charset) {
        return ((ReadResult.Calendar) result(octets, charset))
                .events()
                .getFirst()
                .words()
                .summary();
    }

    private static ReadResult result(byte[] octets, @Nullable String charset) {
        return ICalendarReader.read(octets, charset, CalendarFiles.ZONE);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
