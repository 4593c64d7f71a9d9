package dev.inboxd.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What says that a machine wrote a message, and what does not. */
class AutoResponseTest {
    @ParameterizedTest
    @Proves("A6")
    @ValueSource(
            strings = {
                "Auto-Submitted: auto-replied",
                "auto-submitted: Auto-Generated (rejected)",
                "Auto-Submitted: auto-notified; owner-email=a@b",
                "Auto-Submitted:",
                "Precedence: AUTO_REPLY",
                "Precedence: bulk",
                "Precedence: junk",
                "X-Autoreply: yes",
                "X-Autorespond:"
            })
    void aMachine(String field) {
        assertThat(isMarked(field)).isTrue();
    }

    @ParameterizedTest
    @Proves("A6")
    @ValueSource(
            strings = {
                "Auto-Submitted: no",
                "Auto-Submitted: No (a person)",
                "Precedence: list",
                "Precedence: first-class",
                "List-Id: <help.example.com>",
                "Precedence: bulk\nList-Id: <help.example.com>",
                "List-Unsubscribe: <https://x.test>\nPrecedence: bulk",
                "X-Auto-Response-Suppress: DR, RN",
                "X-Auto-Response-Suppress: DR, OOF, AutoReply",
                "X-Auto-Response-Suppress: All",
                "X-Auto-Response-Suppress: None",
                "X-Autoreply: no",
                "Subject: Auto-Submitted: auto-replied",
                "X-Auto-Submitted: auto-replied"
            })
    void aPersonOrAList(String field) {
        assertThat(isMarked(field)).isFalse();
    }

    @Test
    void oneMarkIsEnough() {
        assertThat(isMarked("Auto-Submitted: no\nList-Id: <x.test>\nPrecedence: auto_reply"))
                .isTrue();
    }

    private static boolean isMarked(String fields) {
        return AutoResponse.isMarked(MessageParser.parse(new ByteArrayInputStream(
                        ("From: a@b.test\n" + fields + "\n\nHi").getBytes(StandardCharsets.US_ASCII)))
                .headers());
    }
}
