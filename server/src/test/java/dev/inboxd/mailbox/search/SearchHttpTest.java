package dev.inboxd.mailbox.search;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found by whom, in which order, and when. */
class SearchHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static SearchProbe search;

    @BeforeAll
    static void start() {
        search = new SearchProbe(world);
    }

    @Test
    void thePhraseComesFirstThenSubjectAndSenderThenTheRestEachNewestFirst() {
        String inbox = world.inbox("order");
        search.send(inbox, "one", "green thoughts about tea");
        search.send(inbox, "two: green and also tea", "-");
        search.send(inbox, "three", "I drink green tea");
        search.send(inbox, "four: tea is green", "-");
        search.send(inbox, "five", "tea, not green");
        search.send(inbox, "six: Green Tea", "-");
        search.send(inbox, "seven: greens", "coffee");
        assertThat(search.subjects(search.found(inbox, "green tea", 6)))
                .containsExactly(
                        "six: Green Tea", "three", "four: tea is green", "two: green and also tea", "five", "one");
        assertThat(search.subjects(search.found(inbox, "green", 7)))
                .containsExactly(
                        "seven: greens",
                        "six: Green Tea",
                        "four: tea is green",
                        "two: green and also tea",
                        "five",
                        "three",
                        "one");
    }

    @Test
    void substringsAreFoundInSenderRecipientsAndSubjectAndWholeWordsInTheBody() {
        String inbox = world.inbox("where");
        search.send(inbox, "Konferenz", "Die Größe der Räume");
        assertThat(search.found(inbox, "feren", 1).at("messages.0.highlights.subject"))
                .isEqualTo(List.of("Kon**feren**z"));
        assertThat(search.found(inbox, "lsewhe", 1).at("messages.0.highlights.recipients"))
                .isEqualTo(List.of("jo@e**lsewhe**re.test"));
        assertThat(search.found(inbox, "wher", 1).at("messages.0.highlights.from"))
                .isNotNull();
        assertThat(search.found(inbox, "GROSSE", 1).at("messages.0.highlights.text"))
                .isEqualTo(List.of("Die **Größe** der Räume"));
        assertThat(search.found(inbox, "raume", 1).at("messages.0.highlights.subject"))
                .isNull();
        assertThat(search.messages(inbox, "ume").list("messages")).isEmpty();
        assertThat(search.found(inbox, "ra", 1).at("messages.0.highlights.text"))
                .isEqualTo(List.of("Die Größe der **Rä**ume"));
    }

    @Test
    void languagesWithoutSpacesAreSearchedByTheirParts() {
        String inbox = world.inbox("scripts");
        search.send(inbox, "会議", "明日は東京都に行く予定です");
        search.send(inbox, "ครับ", "ผมเรียนภาษาไทยทุกวัน");
        search.send(inbox, "안녕", "부산에서 만나요");
        assertThat(search.subjects(search.found(inbox, "東京", 1))).containsExactly("会議");
        assertThat(search.subjects(search.found(inbox, "京都に", 1))).containsExactly("会議");
        assertThat(search.messages(inbox, "東都").list("messages")).isEmpty();
        assertThat(search.subjects(search.found(inbox, "ภาษา", 1))).containsExactly("ครับ");
        assertThat(search.subjects(search.found(inbox, "부산", 1))).containsExactly("안녕");
        assertThat(search.subjects(search.found(inbox, "議", 1))).containsExactly("会議");
    }

    @ParameterizedTest
    @Proves("A40")
    @ValueSource(
            strings = {
                "%",
                "_",
                "%%%%",
                "a%",
                "\\",
                "' or 1=1 --",
                ".*",
                "(?:a+)+$",
                "\"",
                "{}",
                ":q",
                "$1",
                "&|!<->",
                "needle:*",
                "needle)"
            })
    void nothingInAQueryIsAPattern(String query) {
        String inbox = world.http().get("/v0/inboxes/literal@mail.localhost").status() == 404
                ? world.inbox("literal")
                : "literal@mail.localhost";
        if (search.subjects(search.messages(inbox, "haystack")).isEmpty()) {
            search.send(inbox, "haystack", "needles everywhere");
            search.found(inbox, "haystack", 1);
        }
        assertThat(search.messages(inbox, query).is(200).list("messages")).isEmpty();
        world.http().get("/v0/threads/search?q=" + search.encoded(query)).is(200);
        assertThat(world.http()
                        .get("/v0/inboxes/search?q=" + search.encoded(query + query))
                        .is(200)
                        .list("inboxes"))
                .isEmpty();
    }

    @Test
    @Proves("A40")
    void aQueryOfThousandsOfSignsOrWordsIsAnsweredOrRefused() {
        String inbox = world.inbox("long");
        search.send(inbox, "short", "a b c");
        search.found(inbox, "short", 1);
        search.messages(inbox, "%".repeat(256)).is(200);
        search.messages(inbox, "a ".repeat(128)).is(200);
        assertThat(search.messages(inbox, "%".repeat(257)).is(400).at("errors.0.path"))
                .isEqualTo(List.of("q"));
        search.messages(inbox, "").is(400);
        search.messages(inbox, "   ").is(400);
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages/search")
                        .is(400)
                        .at("errors.0.path"))
                .isEqualTo(List.of("q"));
        assertThat(world.http().get("/v0/threads/search?q=a&limit=101").is(400).at("errors.0.path"))
                .isEqualTo(List.of("limit"));
    }

    @Test
    @Proves("P11")
    void restrictedMailIsNeverFoundAndAppearsWhenItsLabelGoes() {
        String inbox = world.inbox("restricted");
        world.mail(
                "jo@x.test",
                inbox,
                "From: Jo <jo@x.test>\nMessage-ID: <r1@x.test>\nSubject: Zebra crossing\n\nzebras\n");
        search.send(inbox, "clean zebra", "nothing");
        assertThat(search.subjects(search.found(inbox, "zebra", 1))).containsExactly("clean zebra");
        String path = "/v0/inboxes/" + inbox + "/messages/" + search.encoded("<r1@x.test>");
        world.http()
                .patch(path, json("remove_labels", List.of("unauthenticated")))
                .is(200);
        assertThat(search.subjects(search.found(inbox, "zebra", 2))).containsExactly("clean zebra", "Zebra crossing");
        assertThat(search.threads("/v0/threads", "zebra").list("threads")).hasSize(2);
        for (String label : List.of("spam", "trash")) {
            world.http().patch(path, json("add_labels", List.of(label))).is(200);
            assertThat(search.subjects(search.messages(inbox, "zebra"))).containsExactly("clean zebra");
            assertThat(search.threads("/v0/inboxes/" + inbox + "/threads", "zebra")
                            .list("threads"))
                    .hasSize(1);
            world.http().patch(path, json("remove_labels", List.of(label))).is(200);
        }
        assertThat(search.subjects(search.messages(inbox, "zebra"))).hasSize(2);
    }

    @Test
    @Proves("P10")
    void aSearchStaysWithinItsInbox() {
        String one = world.inbox("within1");
        String two = world.inbox("within2");
        search.send(one, "walrus one", "-");
        search.send(two, "walrus two", "-");
        assertThat(search.subjects(search.found(one, "walrus", 1))).containsExactly("walrus one");
        assertThat(search.subjects(search.found(two, "walrus", 1))).containsExactly("walrus two");
        assertThat(search.threads("/v0/threads", "walrus").list("threads")).hasSize(2);
        assertThat(search.threads("/v0/inboxes/" + two + "/threads", "walrus").text("threads.0.subject"))
                .isEqualTo("walrus two");
        assertThat(search.threads("/v0/inboxes/" + two + "/threads", "walrus").list("threads"))
                .hasSize(1);
    }

    @Test
    void theThreadIsFoundByItsBestMessageOnce() {
        String inbox = world.inbox("threads");
        world.mail(
                "ann@x.test", inbox, "From: ann@x.test\nMessage-ID: <t1@x.test>\nSubject: Picnic\n\nBring lemonade.\n");
        world.mail(
                "bob@x.test",
                inbox,
                "From: bob@x.test\nMessage-ID: <t2@x.test>\nReferences: <t1@x.test>\nSubject: Re: Picnic\n\n"
                        + "No lemonade left.\n");
        for (String id : List.of("<t1@x.test>", "<t2@x.test>")) {
            world.http()
                    .patch(
                            "/v0/inboxes/" + inbox + "/messages/" + search.encoded(id),
                            json("remove_labels", List.of("unauthenticated")))
                    .is(200);
        }
        search.found(inbox, "lemonade", 2);
        HttpProbe.Answer threads = search.threads("/v0/threads", "lemonade");
        assertThat(threads.list("threads")).hasSize(1);
        assertThat(threads.at("threads.0.message_count")).isEqualTo(2L);
        assertThat(threads.at("threads.0.highlights.text")).isEqualTo(List.of("No **lemonade** left."));
    }

    @Test
    @Tag("long")
    void pagesShowTheMailOfTheFirstPageOnceWhateverComesBetween() {
        String inbox = world.inbox("pages");
        for (int i = 0; i < 5; i++) {
            search.send(inbox, "otter " + i, i == 2 ? "otter hall" : "-");
        }
        search.found(inbox, "otter", 5);
        List<Object> walked = new ArrayList<>();
        String token = "";
        do {
            HttpProbe.Answer page = world.http()
                    .get("/v0/inboxes/" + inbox + "/messages/search?q=otter&limit=2" + token)
                    .is(200);
            walked.addAll(search.subjects(page));
            token = page.at("next_page_token") == null ? "" : "&page_token=" + page.text("next_page_token");
            search.send(inbox, "otter late", "-");
            search.found(inbox, "late", walked.size() / 2 + walked.size() % 2);
        } while (!token.isEmpty());
        assertThat(walked).containsExactly("otter 4", "otter 3", "otter 2", "otter 1", "otter 0");
        HttpProbe.Answer first = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/search?q=otter&limit=2")
                .is(200);
        world.http()
                .get("/v0/inboxes/" + inbox + "/messages/search?q=late&limit=2&page_token="
                        + first.text("next_page_token"))
                .is(400);
    }

    @Test
    void timesNarrowASearch() {
        String inbox = world.inbox("times");
        search.send(inbox, "heron old", "-");
        String first = search.found(inbox, "heron", 1).text("messages.0.timestamp");
        search.send(inbox, "heron new", "-");
        String last = search.found(inbox, "heron", 2).text("messages.0.timestamp");
        assertThat(search.subjects(search.messages(inbox, "heron&after=" + last)))
                .containsExactly("heron new");
        assertThat(search.subjects(search.messages(inbox, "heron&before=" + last)))
                .containsExactly("heron old");
        assertThat(search.subjects(search.messages(inbox, "heron&after=" + first + "&before=" + last)))
                .containsExactly("heron old");
    }

    @Test
    void shortWordsOfALongerQueryArePartsOfWordsInTheHeader() {
        String inbox = world.inbox("parts");
        search.send(inbox, "Order XAB-1234", "about jo and others");
        assertThat(search.subjects(search.found(inbox, "AB-1234", 1))).containsExactly("Order XAB-1234");
        assertThat(search.subjects(search.found(inbox, "der xa", 1))).containsExactly("Order XAB-1234");
        assertThat(search.messages(inbox, "others abou").list("messages")).isEmpty();
    }

    @Test
    void aLongTextOfAnUnspacedScriptIsSearchedToItsEnd() {
        String inbox = world.inbox("unspaced");
        search.send(inbox, "novel", "\u6625\u590f\u79cb\u51ac".repeat(10_000) + "\u9e9f\u9e9e");
        String rare = "\u9e9f\u9e9e";
        Eventually.await(
                () -> !search.messages(inbox, rare).is(200).list("messages").isEmpty());
        assertThat(search.subjects(search.found(inbox, rare, 1))).containsExactly("novel");
    }

    @Test
    @Proves("P19")
    void aDeletedMessageIsGoneFromSearchAtOnceAndItsTextWithIt() {
        String inbox = world.inbox("deleted");
        search.send(inbox, "plover", "ploverbody");
        String id = search.found(inbox, "ploverbody", 1).text("messages.0.message_id");
        world.http()
                .delete("/v0/inboxes/" + inbox + "/messages/" + search.encoded(id))
                .is(200);
        assertThat(search.messages(inbox, "plover").list("messages")).isEmpty();
        assertThat(search.threads("/v0/threads", "ploverbody").list("threads")).isEmpty();
        assertThat(search.texts()).isZero();
    }

    @Test
    void mailOutsideOfTheDefaultPodIsFoundAtEveryLevel() {
        String id = world.pod("Other");
        String outside = world.http()
                .post("/v0/pods/" + id + "/inboxes", json("username", "outside"))
                .is(200)
                .text("inbox_id");
        String inside = world.inbox("inside");
        search.send(outside, "marmot one", "-");
        search.send(inside, "marmot two", "-");
        search.found(outside, "marmot", 1);
        search.found(inside, "marmot", 1);
        assertThat(search.threads("/v0/threads", "marmot").list("threads").stream()
                        .map(each -> String.valueOf(((Map<?, ?>) each).get("subject"))))
                .containsExactly("marmot two", "marmot one");
        assertThat(search.threads("/v0/pods/" + id + "/threads", "marmot").list("threads"))
                .hasSize(1);
        assertThat(world.http()
                        .get("/v0/pods/" + id + "/inboxes/search?q=outs")
                        .is(200)
                        .list("inboxes"))
                .hasSize(1);
        assertThat(world.http()
                        .get("/v0/pods/" + id + "/inboxes/search?q=insi")
                        .is(200)
                        .list("inboxes"))
                .isEmpty();
    }

    @Test
    void inboxesAreFoundByTheBeginningsOfTheirWords() {
        world.http()
                .post("/v0/inboxes", json("username", "kiosk.west", "display_name", "Café Zürich"))
                .is(200);
        world.http()
                .post("/v0/inboxes", json("username", "kiosk", "display_name", "Old Kiosk"))
                .is(200);
        assertThat(inboxes("ki")).containsExactly("kiosk@mail.localhost", "kiosk.west@mail.localhost");
        assertThat(inboxes("wes")).containsExactly("kiosk.west@mail.localhost");
        assertThat(inboxes("cafe zur")).containsExactly("kiosk.west@mail.localhost");
        assertThat(inboxes("iosk")).isEmpty();
        assertThat(inboxes("KIOSK@mail.localhost").getFirst()).isEqualTo("kiosk@mail.localhost");
        world.http()
                .patch("/v0/inboxes/kiosk@mail.localhost", json("display_name", "Newstand"))
                .is(200);
        assertThat(inboxes("old")).isEmpty();
        assertThat(inboxes("newst")).containsExactly("kiosk@mail.localhost");
        assertThat(world.http().get("/v0/inboxes/search?q=k").is(400).at("errors.0.path"))
                .isEqualTo(List.of("q"));
        HttpProbe.Answer page =
                world.http().get("/v0/inboxes/search?q=kiosk&limit=1").is(200);
        assertThat(world.http()
                        .get("/v0/inboxes/search?q=kiosk&limit=1&page_token=" + page.text("next_page_token"))
                        .is(200)
                        .text("inboxes.0.inbox_id"))
                .isEqualTo("kiosk.west@mail.localhost");
    }

    private static List<Object> inboxes(String query) {
        return world.http().get("/v0/inboxes/search?q=" + search.encoded(query)).is(200).list("inboxes").stream()
                .<Object>map(inbox -> ((Map<?, ?>) inbox).get("inbox_id"))
                .toList();
    }
}
