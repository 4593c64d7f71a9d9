package dev.inboxd.account.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a program is called where people see it (ruling 167). */
class OAuthClientTest {
    private static String title(String name, @Nullable String host) {
        return new OAuthClient("client", OAuthClient.shown(name), host, List.of()).title();
    }

    @Test
    void whoRegisteredItselfIsUnverifiedWhateverItsNameEndsWith() {
        assertThat(title("Claude (claude.ai)", null)).isEqualTo("Claude (claude.ai) (unverified)");
        assertThat(title("Claude (unverified)", null)).isEqualTo("Claude (unverified) (unverified)");
        assertThat(title("ä".repeat(5_000), null)).endsWith(" (unverified)").hasSizeLessThanOrEqualTo(256);
    }

    @Test
    void whoHasADocumentHasItsHostWhateverItsNameEndsWith() {
        assertThat(title("Claude", "claude.ai")).isEqualTo("Claude (claude.ai)");
        assertThat(title("Claude (unverified)", "evil.example")).isEqualTo("Claude (unverified) (evil.example)");
        assertThat(title("\uD83D\uDE00".repeat(80), "a".repeat(240) + ".evil.example"))
                .endsWith(".evil.example)")
                .hasSizeLessThanOrEqualTo(256);
    }
}
