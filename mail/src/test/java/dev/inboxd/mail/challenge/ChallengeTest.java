package dev.inboxd.mail.challenge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which code and which link of a mail is the one that its sender wants to have back. */
class ChallengeTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Sign in | Your code is 483920. It ends in 10 minutes. | 483920
            Sign in | 483920 is your Example verification code | 483920
            483920 is your login code | Enter it on the page. | 483920
            Welcome | Your verification code:\\n\\n  48 39 20\\n\\n(c) 2026 Example Inc., 1000 Main St | 483920
            Welcome | Your verification code:\\n\\n  483 920\\n\\n(c) 2026 Example Inc., 1000 Main St | 483920
            Welcome | Your verification code:\\n\\n  483-920 | 483920
            Welcome | Enter the code below to sign in to account 203944.\\n\\n483920\\n\\nThe Example team | 483920
            Welcome | G-483920 is your Example verification code. | G-483920
            Welcome | Your security code: AB12-CD34 | AB12-CD34
            Welcome | *4839*\\nThis is your PIN. | 4839
            Anmeldung | Ihr Bestätigungscode lautet: 483920 | 483920
            Connexion | Votre code de vérification est le 483920. | 483920
            Acceso | Tu código de verificación: 483920 | 483920
            Вход | Ваш код подтверждения: 483920 | 483920
            登录 | 您的验证码是483920，请在5分钟内使用。 | 483920
            ログイン | 認証コード：483920 | 483920
            Order | Order 483920: your code is 771204 | 771204
            Order | Your order 483920 was sent. |
            Order | Use promo code SAVE20 for 20% off before 2026. |
            Form | Please add your zip code 90210. |
            Call | Call +1 555 123 4567 for your code. |
            Date | Your code was used on 2026-11-26 at 10:30. |
            Sum | Your code cost $4839 and 4839.50 EUR. |
            Nothing | See you in room 483920. |
            """)
    void theCodeIsTheNumberBesideTheWordsForIt(String subject, String text, @Nullable String code) {
        ChallengeText mail = mail(subject, text.replace("\\n", "\n"), null);
        assertThat(Challenge.CODE.in(mail).orElse(null)).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Confirm your address:\\nhttps://x.test/a?t=1\\nUnsubscribe: https://x.test/u | https://x.test/a?t=1
            Welcome (https://x.test/verify/abc). Help: https://x.test/help | https://x.test/verify/abc
            Sign in here: <https://x.test/s>, or see https://x.test/privacy | https://x.test/s
            Please verify your address.\\n\\nhttps://x.test/q?e=1. | https://x.test/q?e=1
            Nothing to do. https://x.test/news |
            Bestätigen Sie Ihre Adresse: https://x.test/b | https://x.test/b
            If this wasn't you: https://x.test/no\\nLog in: https://x.test/yes | https://x.test/yes
            """)
    void theLinkIsTheOneThatSaysSo(String text, @Nullable String url) {
        ChallengeText mail = mail("Hello", text.replace("\\n", "\n"), null);
        assertThat(Challenge.LINK.in(mail).orElse(null)).isEqualTo(url);
    }

    @Test
    void inHtmlTheWordsOfTheLinkCountNotThoseAroundIt() {
        String html = """
                <p>Verify your address.</p><a href="https://x.test/home"><img alt="Example"></a>
                <a href="mailto:help@x.test">Confirm by mail</a> <a href="javascript:confirm()">Confirm</a>
                <a href="https://x.test/t/9f">Confirm <b>now</b></a> <a href="https://x.test/t/8a">Unsubscribe</a>
                <h1>Your code</h1><div>483920</div>""";
        ChallengeText mail = mail(null, "Read this mail in a browser.", html);
        assertThat(Challenge.LINK.in(mail)).contains("https://x.test/t/9f");
        assertThat(Challenge.CODE.in(mail)).contains("483920");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "\n\n", "code", "http://", "https://", "code code code", "1234", "\uD83D", "-", "code -"
            })
    void littleIsNothing(String text) {
        ChallengeText mail = mail(text, text, text);
        assertThat(Challenge.CODE.in(mail)).isEmpty();
        assertThat(Challenge.LINK.in(mail)).isEmpty();
    }

    @Test
    @Tag("long")
    void anyMailIsReadInBoundedTime() {
        Random random = new Random(7);
        String[] pieces = {
            "code ", "1234", " ", "-", "https://x.test/verify", "\n", "<a href=http://y.test>", ":", "код"
        };
        for (int round = 0; round < 20; round++) {
            StringBuilder text = new StringBuilder();
            while (text.length() < 1_000_000) {
                text.append(pieces[random.nextInt(pieces.length)].repeat(1 + random.nextInt(50)));
            }
            long start = System.nanoTime();
            ChallengeText mail = mail(text.toString(), text.toString(), null);
            Challenge.CODE.in(mail);
            Challenge.LINK.in(mail);
            assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
        }
    }

    private static ChallengeText mail(@Nullable String subject, @Nullable String text, @Nullable String html) {
        return ChallengeText.of(subject, new MailBodies(text, text, html, false), null);
    }
}
