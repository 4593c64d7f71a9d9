package dev.inboxd.app.registry;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Apps as callers read them (apps.md §2). */
class AppHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static UUID notes;
    private static UUID search;
    private static UUID unlisted;
    private static UUID disabled;

    @BeforeAll
    static void start() {
        notes = AppFixture.register(world, """
                {"name":"Notes & More","slug":"notes-and-more","description":"Keeps notes.",
                 "logo_url":"https://notes.example/logo.png","terms_url":"https://notes.example/terms",
                 "privacy_url":"https://notes.example/privacy","categories":["productivity","data"],
                 "redirect_uris":["https://notes.example/cb"]}""");
        search = AppFixture.register(
                world, json("name", "100%_sure Über", "slug", "sure", "categories", List.of("data")));
        unlisted = AppFixture.register(
                world, json("name", "Quiet", "slug", "quiet", "listed", false, "owner_signup_limit", 3));
        disabled = AppFixture.register(world, json("name", "Over", "slug", "over", "enabled", false));
    }

    private static List<String> names(Answer list) {
        List<String> names = new ArrayList<>();
        list.list("apps").forEach(app -> names.add(String.valueOf(((Map<?, ?>) app).get("name"))));
        assertThat(list.at("providers")).isEqualTo(list.at("apps"));
        assertThat(list.at("count")).isEqualTo((long) names.size());
        return names;
    }

    @ParameterizedTest
    @ValueSource(strings = {"apps", "providers"})
    void bothNamesOfTheCollectionAnswerTheSame(String collection) {
        Answer list = world.http().get("/v0/" + collection).is(200);
        assertThat(names(list)).containsExactly("100%_sure Über", "Notes & More");
        assertThat(list.at("limit")).isEqualTo(50L);
        Answer app = world.http().get("/v0/" + collection + "/" + notes).is(200);
        assertThat(app.at("")).isEqualTo(list.at("apps.1"));
        assertThat(((Map<?, ?>) Objects.requireNonNull(app.at(""))).keySet())
                .isEqualTo(Set.of(
                        "app_id",
                        "provider_id",
                        "name",
                        "updated_at",
                        "description",
                        "logo_url",
                        "terms_url",
                        "privacy_url",
                        "slug",
                        "categories"));
        assertThat(app.text("app_id")).isEqualTo(app.text("provider_id")).isEqualTo(notes.toString());
        assertThat(names(world.http().get("/v0/" + collection + "/search?q=notes")))
                .containsExactly("Notes & More");
        world.anonymous().get("/v0/" + collection).is(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "notes-and-more",
                "Notes-And-More",
                "notes%20and%20more",
                "NotesAndMore",
                "notes_and_more!",
                "%22Notes%20and%E2%80%94more%22"
            })
    void anAppIsFoundByASlugAsPeopleTypeIt(String typed) {
        assertThat(world.http().get("/v0/apps/" + typed).is(200).text("app_id")).isEqualTo(notes.toString());
        assertThat(world.http().get("/v0/apps/" + typed + "/accounts").is(200).text("app.app_id"))
                .isEqualTo(notes.toString());
    }

    @Test
    void aTypedSlugThatFitsTwoAppsFitsNone() {
        UUID one = AppFixture.register(world, json("name", "Twin", "slug", "twin-app"));
        UUID other = AppFixture.register(world, json("name", "Twin", "slug", "twina-pp"));
        Refusal.of(world.http().get("/v0/apps/Twin%20App"), ErrorCode.NOT_FOUND);
        assertThat(world.http().get("/v0/apps/twin-app").is(200).text("app_id")).isEqualTo(one.toString());
        AppFixture.change(world, other, json("enabled", false));
        assertThat(world.http().get("/v0/apps/Twin%20App").is(200).text("app_id"))
                .isEqualTo(one.toString());
        AppFixture.operator(world).delete(one.toString(), false);
        AppFixture.operator(world).delete(other.toString(), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "%20", "!!", "..%2f", "01a21826-e2d6-72d2-9330-6493f2cee6b0", "Quiet."})
    void whatNamesNoAppIsNotFound(String name) {
        assertThat(Refusal.of(world.http().get("/v0/apps/" + name), ErrorCode.NOT_FOUND)
                        .text("message"))
                .isEqualTo("App not found");
    }

    @Test
    void theAccountsOfNoAppAreNoneForAnIdNotFoundForASlugAndInvalidElse() {
        Answer none = world.http()
                .get("/v0/apps/01a21826-e2d6-72d2-9330-6493f2cee6b0/accounts")
                .is(200);
        assertThat(none.at("")).isEqualTo(Map.of("count", 0L, "limit", 50L, "accounts", List.of()));
        Refusal.of(world.http().get("/v0/apps/unknown/accounts"), ErrorCode.NOT_FOUND);
        Refusal.of(world.http().get("/v0/providers/un%20known/accounts"), ErrorCode.VALIDATION_ERROR);
    }

    @Test
    void anUnlistedAppShowsItsNameAloneAndADisabledOneNothing() {
        for (String name : List.of("quiet", unlisted.toString())) {
            assertThat(world.http().get("/v0/apps/" + name).is(200).at(""))
                    .isEqualTo(
                            Map.of("app_id", unlisted.toString(), "provider_id", unlisted.toString(), "name", "Quiet"));
        }
        for (String name : List.of("over", disabled.toString())) {
            Refusal.of(world.http().get("/v0/apps/" + name), ErrorCode.NOT_FOUND);
            assertThat(world.http()
                            .get("/v0/apps/" + name + "/accounts")
                            .is(200)
                            .at("app"))
                    .isNull();
        }
        assertThat(names(world.http().get("/v0/apps/search?q=q"))).isEmpty();
        assertThat(names(world.http().get("/v0/apps/search?q=over"))).isEmpty();
    }

    @Test
    void aSearchTakesTheBeginningOfANameAsItStands() {
        for (String q : List.of("100%25_", "100%25_SURE%20%C3%9C", "1")) {
            assertThat(names(world.http().get("/v0/apps/search?q=" + q))).as(q).containsExactly("100%_sure Über");
        }
        for (String q : List.of("_", "%25", "more", "100_")) {
            assertThat(names(world.http().get("/v0/apps/search?q=" + q))).as(q).isEmpty();
        }
        assertThat(world.http().get("/v0/apps/search?q=n&limit=100").is(200).at("limit"))
                .isEqualTo(100L);
        for (String wrong : List.of("", "?q=", "?q=n&limit=101", "?q=n&limit=0", "?q=" + "n".repeat(257))) {
            Refusal.of(world.http().get("/v0/apps/search" + wrong), ErrorCode.VALIDATION_ERROR);
        }
        world.http().get("/v0/apps/search?q=" + "n".repeat(256)).is(200);
    }

    @Test
    void aCategoryIsAFilterThatItsPageTokenIsBoundTo() {
        assertThat(names(world.http().get("/v0/apps?category=productivity"))).containsExactly("Notes & More");
        assertThat(names(world.http().get("/v0/apps?category=ai"))).isEmpty();
        Refusal.of(world.http().get("/v0/apps?category=games"), ErrorCode.VALIDATION_ERROR);
        Answer first = world.http().get("/v0/apps?category=data&limit=1").is(200);
        assertThat(names(first)).containsExactly("100%_sure Über");
        String token = "&page_token=" + first.text("next_page_token");
        assertThat(names(world.http().get("/v0/apps?category=data&limit=1" + token)))
                .containsExactly("Notes & More");
        Refusal.of(world.http().get("/v0/apps?category=ai&limit=1" + token), ErrorCode.VALIDATION_ERROR);
        Refusal.of(world.http().get("/v0/apps?limit=1" + token), ErrorCode.VALIDATION_ERROR);
        assertThat(world.http().get("/v0/apps?limit=1000").is(200).at("limit")).isEqualTo(100L);
        Refusal.of(world.http().get("/v0/apps?limit=0"), ErrorCode.VALIDATION_ERROR);
    }

    @Test
    void aLimitIsThatOfTheCallersOrganization() {
        String path = "/v0/apps/" + search;
        assertThat(world.http().get(path).is(200).at("owner_signup_limit")).isNull();
        AppFixture.change(world, search, """
                {"owner_signup_limit":5,\
                "organizations":{"%s":{"owner_signup_limit":0}}}""".formatted(world.organization()));
        String other = world.otherOrganization();
        assertThat(world.http().get(path).at("owner_signup_limit")).isEqualTo(0L);
        assertThat(world.as(other).get(path).at("owner_signup_limit")).isEqualTo(5L);
        assertThat(world.http().get("/v0/apps?category=data").at("apps.0.owner_signup_limit"))
                .isEqualTo(0L);
        AppFixture.change(world, search, """
                {"organizations":{"%s":{"owner_signup_limit":null}}}""".formatted(world.organization()));
        assertThat(world.http().get(path).at("owner_signup_limit"))
                .as("any number, although others have five")
                .isNull();
        AppFixture.change(world, search, json("owner_signup_limit", null, "organizations", null));
        assertThat(world.as(other).get(path).at("owner_signup_limit")).isNull();
    }
}
