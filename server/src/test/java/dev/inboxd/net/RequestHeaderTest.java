package dev.inboxd.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestHeaderTest {
    @Test
    void ordinaryFieldsAreTaken() {
        assertThat(new RequestHeader("X-Trace", "a b\tc")).isEqualTo(new RequestHeader("X-Trace", "a b\tc"));
        assertThat(new RequestHeader("x", "").value()).isEmpty();
    }

    @Test
    void theValueIsNotShown() {
        assertThat(new RequestHeader("Authorization", "Bearer hush")).asString().doesNotContain("hush");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "a:",
                "a\r\nB",
                "ä",
                "a\0",
                "Host",
                "content-length",
                "Transfer-Encoding",
                "CONNECTION",
                "te",
                "Expect",
                "Upgrade"
            })
    void namesThatAreNoTokenOrFrameTheMessageAreRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> new RequestHeader(name, "value"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb: c", "a\nb", "a\rb", "a\0b", "a\u007f", "é", " a", "a\t"})
    void valuesThatCouldStartAnotherFieldAreRefused(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> new RequestHeader("x", value));
    }
}
