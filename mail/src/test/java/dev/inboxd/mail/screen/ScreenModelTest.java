package dev.inboxd.mail.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The model's number grows with every change of the rules, so that old verdicts can be told from new ones. */
class ScreenModelTest {
    /** The model, and the hash of its rules. Whoever changes the rules gives the model a new number first. */
    private static final String KNOWN = "inboxd-rules-2 97aa0e2270712a7a";

    @Test
    void rulesThatChangedHaveANewNumber() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String name : new String[] {"concepts.txt", "rules.txt"}) {
            try (InputStream in = Objects.requireNonNull(RuleBook.class.getResourceAsStream(name))) {
                digest.update(in.readAllBytes());
            }
        }
        String hash = HexFormat.of().formatHex(digest.digest(), 0, 8);
        assertThat(MailScreen.MODEL + " " + hash).isEqualTo(KNOWN);
    }
}
