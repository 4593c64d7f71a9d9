package dev.inboxd.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.server.World;
import java.net.URI;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A program that asks to be let in, and the browser of the person whom it asks.
 *
 * @param world a server whose console asks for a sign-in, at https://inboxd.test
 * @param client its client_id
 * @param session the token of the person's session; empty for nobody
 */
record ProgramProbe(World world, String client, String session) {
    static final String OWN = "https://inboxd.test";
    static final String CALLBACK = "http://127.0.0.1:49152/callback";
    static final String VERIFIER = "a-verifier-of-more-than-forty-three-characters-0123456789";
    static final String CHALLENGE = Base64.getUrlEncoder().withoutPadding().encodeToString(Digests.sha256(VERIFIER));

    /** A program that has registered. */
    static ProgramProbe of(World world, String name) {
        Answer registered = register(
                        world,
                        JsonObject.of("client_name", name).with("redirect_uris", List.of("http://127.0.0.1/callback")))
                .is(201);
        return new ProgramProbe(world, registered.text("client_id"), world.session());
    }

    static Answer register(World world, JsonObject program) {
        return world.anonymous().post("/console/register", Json.text(program));
    }

    /** The browser of another person, or of nobody. */
    ProgramProbe with(String otherSession) {
        return new ProgramProbe(world, client, otherSession);
    }

    /** The query of a good request, to be changed. */
    Map<String, String> query() {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", client);
        query.put("redirect_uri", CALLBACK);
        query.put("state", "s t&ä");
        query.put("code_challenge", CHALLENGE);
        query.put("code_challenge_method", "S256");
        query.put("resource", OWN + "/mcp");
        return query;
    }

    /** The path with a query. */
    static String path(Map<String, String> query) {
        return "/console/authorize?" + form(query);
    }

    static String form(Map<String, String> values) {
        StringBuilder form = new StringBuilder();
        values.forEach((name, value) ->
                form.append(form.isEmpty() ? "" : "&").append(name).append('=').append(ConsoleProbe.encoded(value)));
        return form.toString();
    }

    HttpProbe browser() {
        HttpProbe browser = world.anonymous().with("Content-Type", "application/x-www-form-urlencoded");
        return session.isEmpty() ? browser : browser.with("Cookie", "__Host-inboxd-console=" + session);
    }

    static String token(String page) {
        return ConsoleProbe.between(page, "name=\"token\" value=\"", "\"");
    }

    /** Sends the form of the page of consent, as a page of ours does. */
    Answer consents(String answer, String access, String inbox) {
        String page = browser().get(path(query())).is(200).text();
        return sends(token(page), Map.of("do", answer, "access", access, "inbox", inbox));
    }

    Answer sends(String token, Map<String, String> form) {
        return browser().with("Origin", OWN).post(path(query()), "token=" + token + "&" + form(form));
    }

    /** The code that the person gives. */
    String code(String access, String inbox) {
        return Objects.requireNonNull(
                parameters(consents("allow", access, inbox)).get("code"));
    }

    /** What a redirect to the program says. */
    static Map<String, String> parameters(Answer redirect) {
        String location = Objects.requireNonNull(redirect.is(303).header("Location"));
        assertThat(location).startsWith(CALLBACK + "?");
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : URI.create(location).getRawQuery().split("&", -1)) {
            int equals = pair.indexOf('=');
            parameters.put(
                    pair.substring(0, equals),
                    java.net.URLDecoder.decode(pair.substring(equals + 1), java.nio.charset.StandardCharsets.UTF_8));
        }
        return parameters;
    }

    /** What a program sends to redeem a code, to be changed. */
    Map<String, String> redemption(String code) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("client_id", client);
        form.put("redirect_uri", CALLBACK);
        form.put("code_verifier", VERIFIER);
        form.put("resource", OWN + "/mcp");
        return form;
    }

    Answer redeems(Map<String, String> form) {
        return world.anonymous()
                .with("Content-Type", "application/x-www-form-urlencoded")
                .post("/console/token", form(form));
    }

    /** The key that the program gets. */
    String key(String access, String inbox) {
        return redeems(redemption(code(access, inbox))).is(200).text("access_token");
    }
}
