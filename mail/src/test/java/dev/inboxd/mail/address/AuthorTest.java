package dev.inboxd.mail.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Proves("A9a")
class AuthorTest {
    private static final String OWN = "ann.doe@inbox.test";

    @ParameterizedTest
    @ValueSource(
            strings = {
                OWN,
                "<" + OWN + ">",
                " Ann Doe  <" + OWN + "> ",
                "Ann J. Doe <" + OWN + ">",
                "\"Doe, Ann (x) <a@b>\" <" + OWN + ">",
                "\"a\\\"b\"<" + OWN + ">",
                "=?utf-8?q?J=C3=B6?= <" + OWN + ">",
                "J\u00f6 <" + OWN + ">"
            })
    void oneMailboxInItsPlainFormIsRead(String field) {
        assertThat(Author.of(field)).hasToString(OWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Ann",
                "Ann <>",
                "a@b.test, " + OWN,
                "a@b.test <" + OWN + ">",
                "friends: " + OWN + ";",
                "(x) " + OWN,
                OWN + " (x)",
                "Ann (x) <" + OWN + ">",
                "<@r.test:" + OWN + ">",
                "<" + OWN,
                "Ann <<" + OWN + ">>",
                "<" + OWN + "> x",
                "\"Ann <" + OWN + ">",
                "Ann\\ <" + OWN + ">",
                "ann. doe@inbox.test",
                "ann.doe @inbox.test",
                "Ann; <" + OWN + ">",
                "[Ann] <" + OWN + ">",
                "Ann <ann.doe@in\ufeffbox.test>",
                "ann.doe@inbox\u00ad.test",
                "<a@b.test> <" + OWN + ">",
                OWN + ","
            })
    void whatAnotherProgramMayReadOtherwiseIsNot(String field) {
        assertThat(Author.of(field)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ceo@victim.test",
                "The Ceo <ceo@victim.test>",
                "ceo\uff20victim.test",
                "ceo@victim\uff0etest",
                "ceo@victim\u3002test",
                "c\u200beo@\u200bvictim.te\u00adst",
                "x" + OWN,
                OWN + ".evil.test",
                OWN + " ceo@victim.test",
                "\"ceo\"@victim.test",
                "ceo\ufe6bvictim.test",
                "a@b@victim.test",
                "\u0441eo@\u0432ictim.test"
            })
    void aNameThatLooksLikeSomebodyElsesAddressDoes(String name) {
        assertThat(Author.namesAnother(name, OWN)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Ann",
                "Ann @ Acme",
                "Ann @Acme",
                "Ann@Acme",
                "@victim.test",
                "Ann @ victim.test",
                OWN,
                "Ann <" + OWN + ">",
                "ANN.DOE@INBOX.TEST",
                "Ann, " + OWN + ", sales",
                "a@",
                "@",
                "Ann (" + OWN + ")",
                "I am " + OWN + "."
            })
    void anyOtherNameDoesNot(String name) {
        assertThat(Author.namesAnother(name, OWN)).isFalse();
    }
}
