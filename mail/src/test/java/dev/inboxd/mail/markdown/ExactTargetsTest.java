package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.challenge.ChallengeText;
import dev.inboxd.mail.challenge.MailBodies;
import dev.inboxd.mail.reply.MailKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The target of a link that proves something stays byte for byte (markdown.md §3). */
class ExactTargetsTest {
    private static final String TRACKED = "https://x.test/c/a?t=%41&utm_source=m";

    private static String of(MarkdownSource mail) {
        return MarkdownOf.of(mail, QuoteForm.FOLD);
    }

    private static String target(@Nullable String subject, @Nullable String text, @Nullable String html) {
        return ChallengeText.of(subject, new MailBodies(text, text, html, false), null)
                .links()
                .getFirst()
                .target();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', nullValues = "-", textBlock = """
            -                      ; Confirm your address: %s.                            ; true
            -                      ; Reset your password\\n%s                             ; true
            -                      ; To sign in, go to <%s>                               ; true
            -                      ; Bestätigen Sie hier Ihre E-Mail-Adresse:\\n\\n%s     ; true
            Verify your address    ; Hi,\\n\\n%s                                          ; true
            -                      ; Please confirm your address. It takes a minute:\\n%s ; true
            -                      ; Our chairs: %s                                       ; false
            -                      ; Unsubscribe: %s                                      ; false
            Verify your address    ; Our chairs: %s                                       ; true
            """)
    void inATextAsAmongTheLinksOfTheMail(@Nullable String subject, String text, boolean isExact) {
        String body = text.replace("\\n", "\n").replace("%s", TRACKED);
        String target = target(subject, body, null);
        assertThat(target.equals(TRACKED)).as(target).isEqualTo(isExact);
        assertThat(of(new MarkdownSource(subject, body, null, null, MailKind.STANDALONE, Map.of())))
                .contains("<" + target + ">");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', nullValues = "-", textBlock = """
            -                   ; <a href='%s'>Confirm my address</a>                                     ; true
            -                   ; <p>To reset your password, click <a href='%s'>here</a>.</p>             ; true
            Verify your address ; <p><a href='%s'>Click here</a></p>                                      ; true
            Verify your address ; <p>Please confirm your address:</p><p><a href='%s'>Get started</a></p>  ; true
            -                   ; <p><a href='%s'>Look at chairs</a></p>                                  ; false
            -                   ; <p><a href='%s'>Unsubscribe</a></p>                                     ; false
            """)
    void inHtmlAsAmongTheLinksOfTheMail(@Nullable String subject, String html, boolean isExact) {
        String body = html.replace("%s", TRACKED.replace("&", "&amp;"));
        String target = target(subject, null, body);
        assertThat(target.equals(TRACKED)).as(target).isEqualTo(isExact);
        assertThat(of(new MarkdownSource(subject, null, null, body, MailKind.STANDALONE, Map.of())))
                .contains("](" + target + ")");
    }
}
