package dev.inboxd.account.passkey;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.console.PersonProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Signing in to the console with a passkey. */
class PasskeyHttpTest {
    @RegisterExtension
    private static final World world = World.start(Map.of(
            "INBOXD_CONSOLE",
            "sign-in",
            "INBOXD_PUBLIC_URL",
            PersonProbe.OWN,
            "INBOXD_LIMITS",
            "sign_ins_per_address=10000,letters_per_hour=100,letters_per_day=100,requests=1000"));

    private static int number;

    private UUID organization = new UUID(0, 0);
    private PersonProbe ann = new PersonProbe("", world.anonymous());
    private final PasskeyProbe phone = new PasskeyProbe();

    @BeforeEach
    void aPerson() {
        organization = UUID.fromString(world.as(world.otherOrganization())
                .get("/v0/organizations")
                .is(200)
                .text("organization_id"));
        ann = PersonProbe.owner(world, "ann" + ++number + "@people.test", organization);
    }

    private static HttpProbe stranger() {
        return world.anonymous()
                .with("Content-Type", "application/x-www-form-urlencoded")
                .with("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1")
                .with("Origin", PersonProbe.OWN);
    }

    private static String options(String page) {
        return ConsoleProbe.between(page, "data-passkey=\"", "\"")
                .replace("&#34;", "\"")
                .replace("&amp;", "&");
    }

    private static Answer adds(PersonProbe person, PasskeyProbe authenticator) {
        String options = options(person.page("/people"));
        return person.sends("/people/self", "do", "add-passkey", "answer", authenticator.made(options));
    }

    private static String asked() {
        return stranger().get("/console/enter").is(200).text();
    }

    private static Answer enters(String answer) {
        String token = ConsoleProbe.between(asked(), "name=\"token\" value=\"", "\"");
        return stranger()
                .post(
                        "/console/enter/passkey",
                        "token=" + token + "&then=/approvals&answer=" + ConsoleProbe.encoded(answer));
    }

    private static Answer enters(PasskeyProbe authenticator) {
        return enters(authenticator.signed(options(asked())));
    }

    private static void isRefused(Answer answer) {
        assertThat(answer.is(400).text()).contains("This passkey is unknown. Sign in with a code by email.");
        assertThat(answer.header("Set-Cookie")).isNull();
    }

    @Test
    void oneIsAddedOpensASessionWhereThePersonWantedToBeAndIsRemoved() {
        int before = world.letters(ann.human()).size();
        assertThat(adds(ann, phone).is(303).header("Location")).isEqualTo("/console/people?done=passkey-added");
        assertThat(world.lettersSince(ann.human(), before).getLast())
                .contains("A passkey was added to your account: by Firefox on Linux.");
        Answer opened = enters(phone).is(303);
        assertThat(opened.header("Location")).isEqualTo("/console/approvals");
        String cookie = String.valueOf(opened.header("Set-Cookie"));
        assertThat(cookie).startsWith("__Host-inboxd-console=").contains("HttpOnly", "SameSite=Strict");
        PersonProbe again =
                new PersonProbe(ann.human(), stranger().with("Cookie", cookie.substring(0, cookie.indexOf(';'))));
        String people = again.page("/people");
        assertThat(people).contains("Added in Firefox on Linux, on all your devices", "last used", "Safari on iPhone");
        assertThat(again.page("/activity")).contains("Passkey created", "Session created");
        String id = ConsoleProbe.between(people, "name=\"passkey_id\" value=\"", "\"");
        again.sends("/people/self", "do", "remove-passkey", "passkey_id", id).is(303);
        isRefused(enters(phone));
        again.sends("/people/self", "do", "remove-passkey", "passkey_id", id).is(404);
        assertThat(again.page("/activity")).contains("Passkey deleted");
    }

    @Test
    @Proves("A31b")
    void anAnswerIsGoodOnce() {
        adds(ann, phone).is(303);
        String first = phone.signed(options(asked()));
        String second = phone.signed(options(asked()));
        enters(second).is(303);
        isRefused(enters(second));
        isRefused(enters(first)); // its challenge is older than one that was taken
        enters(phone).is(303);
    }

    @Test
    @Proves("A31b")
    void aLieOfABrowserOrOfASiteIsRefused() {
        adds(ann, phone).is(303);
        phone.origin = "https://inboxd.test.evil.test";
        isRefused(enters(phone));
        phone.origin = PersonProbe.OWN;
        phone.host = "evil.test";
        isRefused(enters(phone));
        phone.host = "inboxd.test";
        int flags = phone.flags;
        phone.flags = flags & ~PasskeyProbe.VERIFIED;
        isRefused(enters(phone));
        phone.flags = flags & ~PasskeyProbe.PRESENT;
        isRefused(enters(phone));
        phone.flags = flags;
        String foreign = options(ann.page("/people")); // a challenge of another purpose
        assertThat(enters(phone.signed(foreign)).is(400).text()).contains("open for too long");
        String tampered = phone.signed(options(asked()))
                .replace("MEUCI", "MEUCJ")
                .replace("MEQCI", "MEQCJ")
                .replace("MEYCI", "MEYCJ");
        assertThat(enters(tampered).status()).isEqualTo(400);
        for (String hostile : new String[] {"", "{}", "null", "[[[[", json("id", 1), "x".repeat(17_000)}) {
            isRefused(enters(hostile));
        }
        enters(phone).is(303);
    }

    @Test
    @Proves("A31b")
    void aCopyWhoseCounterFellBehindIsRefused() {
        phone.counter = 5;
        adds(ann, phone).is(303);
        phone.counter = 7;
        enters(phone).is(303);
        phone.counter = 6;
        isRefused(enters(phone));
        phone.counter = 8;
        enters(phone).is(303);
    }

    @Test
    void aChallengeToMakeOneIsGoodForItsSessionAlone() {
        String options = options(ann.page("/people"));
        PersonProbe bo = PersonProbe.of(world, "bo" + number + "@people.test", organization, Role.READ);
        assertThat(bo.sends("/people/self", "do", "add-passkey", "answer", phone.made(options))
                        .is(400)
                        .text())
                .contains("open for too long");
        adds(bo, phone).is(303);
        assertThat(adds(ann, phone).is(400).text()).contains("You already have this passkey");
        String id = ConsoleProbe.between(bo.page("/people"), "name=\"passkey_id\" value=\"", "\"");
        ann.sends("/people/self", "do", "remove-passkey", "passkey_id", id).is(404);
        assertThat(ann.page("/people")).doesNotContain(id);
    }

    @Test
    void itEndsWithThePersonInTheOrganization() {
        PersonProbe bo = PersonProbe.of(world, "bo" + number + "@people.test", organization, Role.APPROVE);
        adds(bo, phone).is(303);
        ann.sends("/people", "do", "remove", "human", bo.human()).is(303);
        isRefused(enters(phone));
        PersonProbe.of(world, bo.human(), organization, Role.READ);
        isRefused(enters(phone));
    }

    @Test
    void aPersonHasTenAtMostAndIdsAreBounded() {
        for (int i = 0; i < 10; i++) {
            adds(ann, new PasskeyProbe()).is(303);
        }
        assertThat(adds(ann, phone).is(403).text()).contains("A person has at most 10 passkeys");
        PersonProbe bo = PersonProbe.of(world, "bo" + number + "@people.test", organization, Role.READ);
        assertThat(adds(bo, new PasskeyProbe(1_024)).status()).isEqualTo(400);
        PasskeyProbe longest = new PasskeyProbe(1_023);
        adds(bo, longest).is(303);
        enters(longest).is(303);
    }
}
