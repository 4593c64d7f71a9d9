package dev.inboxd.console;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.PersonSql;
import java.util.Objects;
import java.util.UUID;

/**
 * A person who has signed in to the console with a code by mail, without a browser.
 *
 * @param human the address
 * @param browser has the cookie of the session
 */
public record PersonProbe(String human, HttpProbe browser) {
    /** Where the console of the world lies. */
    public static final String OWN = "https://inboxd.test";

    private static final String FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

    /** Somebody who owns an organization, as who has stood behind it alone. */
    public static PersonProbe owner(World world, String human, UUID organization) {
        world.database().<Boolean>writeGlobal(tx -> OrganizationHumans.claim(tx, human, organization));
        return enter(world, human);
    }

    /** The same with a role. */
    public static PersonProbe of(World world, String human, UUID organization, Role role) {
        world.database().<Boolean>writeGlobal(tx -> OrganizationHumans.claim(tx, human, organization));
        world.database().<Boolean>write(organization, tx -> {
            PersonSql.put(tx, organization, human, role);
            return true;
        });
        return enter(world, human);
    }

    /** Signs somebody in who may. */
    public static PersonProbe enter(World world, String human) {
        int before = world.letters(human).size();
        HttpProbe browser = world.anonymous()
                .with("Content-Type", "application/x-www-form-urlencoded")
                .with("User-Agent", FIREFOX)
                .with("Origin", OWN);
        String form = "token=" + token(browser.get("/console/enter").is(200).text()) + "&address=" + human;
        browser.post("/console/enter", form).is(200);
        String letter = world.lettersSince(human, before).getLast();
        String code = ConsoleProbe.between(letter, "Subject: ", " is your inboxd code");
        String cookie = Objects.requireNonNull(browser.post("/console/enter/code", form + "&code=" + code)
                .is(303)
                .header("Set-Cookie"));
        return new PersonProbe(human, browser.with("Cookie", cookie.substring(0, cookie.indexOf(';'))));
    }

    private static String token(String page) {
        return ConsoleProbe.between(page, "name=\"token\" value=\"", "\"");
    }

    /** The page at a path below {@code /console}. */
    public String page(String path) {
        return browser.get("/console" + path).is(200).text();
    }

    /** What proves that a form is from a page of the console. */
    public String token() {
        return token(page("/people"));
    }

    /** Sends a form as a page does, with names and values in turn. */
    public Answer sends(String path, String... pairs) {
        StringBuilder form = new StringBuilder("token=" + token());
        for (int i = 0; i < pairs.length; i += 2) {
            form.append('&').append(pairs[i]).append('=').append(ConsoleProbe.encoded(pairs[i + 1]));
        }
        return browser.post("/console" + path, form.toString());
    }
}
