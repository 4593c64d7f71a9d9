package dev.inboxd.mail.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterTest {
    @Test
    void aParameterTakesTheSimplestFormThatHoldsIt() {
        assertThat(filename("a.txt")).isEqualTo("D: attachment; filename=a.txt\r\n");
        assertThat(filename("a b;\"c\\.txt")).isEqualTo("D: attachment; filename=\"a b;\\\"c\\\\.txt\"\r\n");
        assertThat(filename("ä.txt")).isEqualTo("D: attachment; filename*=utf-8''%C3%A4.txt\r\n");
        assertThat(filename("=?utf-8?q?x?="))
                .isEqualTo("D: attachment; filename*=utf-8''%3D%3Futf-8%3Fq%3Fx%3F%3D\r\n");
    }

    @Test
    void aLongNameContinuesWithoutCuttingACharacter() {
        var lines = filename("😀".repeat(30)).split("\r\n", -1);
        assertThat(lines[1]).isEqualTo(" filename*0*=utf-8''" + "%F0%9F%98%80".repeat(4) + ";");
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(76));
    }

    @Test
    void aMediaTypeIsWrittenFromItsParts() {
        var type = MediaType.parse("t", " Text/CSV ;Charset = \"utf-8\" ; header=present;");
        assertThat(type)
                .isEqualTo(new MediaType(
                        "text",
                        "csv",
                        List.of(
                                new MediaType.Parameter("charset", "utf-8"),
                                new MediaType.Parameter("header", "present"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "text/",
                "/plain",
                "text/plain x",
                "text/plain; a",
                "text/plain; a=",
                "text/plain; a=\"b",
                "te xt/plain",
                "text/plain, x/y",
                "text/plain; a=b; A=c",
                "text/plain; name*=utf-8''x",
                "tëxt/plain",
                "text/plain; a=\"b\" c"
            })
    void whatIsNoMediaTypeIsRefused(String given) {
        assertThatThrownBy(() -> MediaType.parse("attachments[0].content_type", given))
                .hasMessage("attachments[0].content_type is not a media type");
    }

    private static String filename(String name) {
        return new ParameterField("D", "attachment")
                .with("filename", name)
                .field()
                .toString();
    }
}
