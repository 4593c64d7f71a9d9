package dev.inboxd.mailbox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.platform.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found by whom, in which order, and when. */
class SearchHttpTest {
    private static final Duration FRESH = Duration.ofSeconds(3);
    private static World world;

    @BeforeAll
    static void start() {
        world = World.start();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @Test
    void thePhraseComesFirstThenSubjectAndSenderThenTheRestEachNewestFirst() {
        String inbox = world.inbox("order");
        send(inbox, "one", "green thoughts about tea");
        send(inbox, "two: green and also tea", "-");
        send(inbox, "three", "I drink green tea");
        send(inbox, "four: tea is green", "-");
        send(inbox, "five", "tea, not green");
        send(inbox, "six: Green Tea", "-");
        send(inbox, "seven: greens", "coffee");
        assertThat(subjects(found(inbox, "green tea", 6)))
                .containsExactly(
                        "six: Green Tea", "three", "four: tea is green", "two: green and also tea", "five", "one");
        assertThat(subjects(found(inbox, "green", 7)))
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
        send(inbox, "Konferenz", "Die Größe der Räume");
        assertThat(found(inbox, "feren", 1).at("messages.0.highlights.subject")).isEqualTo(List.of("Kon**feren**z"));
        assertThat(found(inbox, "lsewhe", 1).at("messages.0.highlights.recipients"))
                .isEqualTo(List.of("jo@e**lsewhe**re.test"));
        assertThat(found(inbox, "wher", 1).at("messages.0.highlights.from")).isNotNull();
        assertThat(found(inbox, "GROSSE", 1).at("messages.0.highlights.text"))
                .isEqualTo(List.of("Die **Größe** der Räume"));
        assertThat(found(inbox, "raume", 1).at("messages.0.highlights.subject")).isNull();
        assertThat(messages(inbox, "ume").list("messages")).isEmpty();
        assertThat(found(inbox, "ra", 1).at("messages.0.highlights.text"))
                .isEqualTo(List.of("Die Größe der **Rä**ume"));
    }

    @Test
    void languagesWithoutSpacesAreSearchedByTheirParts() {
        String inbox = world.inbox("scripts");
        send(inbox, "会議", "明日は東京都に行く予定です");
        send(inbox, "ครับ", "ผมเรียนภาษาไทยทุกวัน");
        send(inbox, "안녕", "부산에서 만나요");
        assertThat(subjects(found(inbox, "東京", 1))).containsExactly("会議");
        assertThat(subjects(found(inbox, "京都に", 1))).containsExactly("会議");
        assertThat(messages(inbox, "東都").list("messages")).isEmpty();
        assertThat(subjects(found(inbox, "ภาษา", 1))).containsExactly("ครับ");
        assertThat(subjects(found(inbox, "부산", 1))).containsExactly("안녕");
        assertThat(subjects(found(inbox, "議", 1))).containsExactly("会議");
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
        if (subjects(messages(inbox, "haystack")).isEmpty()) {
            send(inbox, "haystack", "needles everywhere");
            found(inbox, "haystack", 1);
        }
        assertThat(messages(inbox, query).is(200).list("messages")).isEmpty();
        world.http().get("/v0/threads/search?q=" + encoded(query)).is(200);
        assertThat(world.http()
                        .get("/v0/inboxes/search?q=" + encoded(query + query))
                        .is(200)
                        .list("inboxes"))
                .isEmpty();
    }

    @Test
    @Proves("A40")
    void aQueryOfThousandsOfSignsOrWordsIsAnsweredOrRefused() {
        String inbox = world.inbox("long");
        send(inbox, "short", "a b c");
        found(inbox, "short", 1);
        messages(inbox, "%".repeat(256)).is(200);
        messages(inbox, "a ".repeat(128)).is(200);
        assertThat(messages(inbox, "%".repeat(257)).is(400).at("errors.0.path")).isEqualTo(List.of("q"));
        messages(inbox, "").is(400);
        messages(inbox, "   ").is(400);
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
        send(inbox, "clean zebra", "nothing");
        assertThat(subjects(found(inbox, "zebra", 1))).containsExactly("clean zebra");
        String path = "/v0/inboxes/" + inbox + "/messages/" + encoded("<r1@x.test>");
        world.http().patch(path, "{\"remove_labels\":[\"unauthenticated\"]}").is(200);
        assertThat(subjects(found(inbox, "zebra", 2))).containsExactly("clean zebra", "Zebra crossing");
        assertThat(threads("/v0/threads", "zebra").list("threads")).hasSize(2);
        for (String label : List.of("spam", "trash")) {
            world.http().patch(path, "{\"add_labels\":[\"" + label + "\"]}").is(200);
            assertThat(subjects(messages(inbox, "zebra"))).containsExactly("clean zebra");
            assertThat(threads("/v0/inboxes/" + inbox + "/threads", "zebra").list("threads"))
                    .hasSize(1);
            world.http().patch(path, "{\"remove_labels\":[\"" + label + "\"]}").is(200);
        }
        assertThat(subjects(messages(inbox, "zebra"))).hasSize(2);
    }

    @Test
    @Proves("P10")
    void aSearchStaysWithinItsInbox() {
        String one = world.inbox("within1");
        String two = world.inbox("within2");
        send(one, "walrus one", "-");
        send(two, "walrus two", "-");
        assertThat(subjects(found(one, "walrus", 1))).containsExactly("walrus one");
        assertThat(subjects(found(two, "walrus", 1))).containsExactly("walrus two");
        assertThat(threads("/v0/threads", "walrus").list("threads")).hasSize(2);
        assertThat(threads("/v0/inboxes/" + two + "/threads", "walrus").text("threads.0.subject"))
                .isEqualTo("walrus two");
        assertThat(threads("/v0/inboxes/" + two + "/threads", "walrus").list("threads"))
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
                "From: bob@x.test\nMessage-ID: <t2@x.test>\nReferences: <t1@x.test>\nSubject: Re: Picnic\n\nNo lemonade left.\n");
        for (String id : List.of("<t1@x.test>", "<t2@x.test>")) {
            world.http()
                    .patch(
                            "/v0/inboxes/" + inbox + "/messages/" + encoded(id),
                            "{\"remove_labels\":[\"unauthenticated\"]}")
                    .is(200);
        }
        found(inbox, "lemonade", 2);
        HttpProbe.Answer threads = threads("/v0/threads", "lemonade");
        assertThat(threads.list("threads")).hasSize(1);
        assertThat(threads.at("threads.0.message_count")).isEqualTo(2L);
        assertThat(threads.at("threads.0.highlights.text")).isEqualTo(List.of("No **lemonade** left."));
    }

    @Test
    void pagesShowTheMailOfTheFirstPageOnceWhateverComesBetween() {
        String inbox = world.inbox("pages");
        for (int i = 0; i < 5; i++) {
            send(inbox, "otter " + i, i == 2 ? "otter hall" : "-");
        }
        found(inbox, "otter", 5);
        List<Object> walked = new ArrayList<>();
        String token = "";
        do {
            HttpProbe.Answer page = world.http()
                    .get("/v0/inboxes/" + inbox + "/messages/search?q=otter&limit=2" + token)
                    .is(200);
            walked.addAll(subjects(page));
            token = page.at("next_page_token") == null ? "" : "&page_token=" + page.text("next_page_token");
            send(inbox, "otter late", "-");
            found(inbox, "late", walked.size() / 2 + walked.size() % 2);
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
        send(inbox, "heron old", "-");
        String first = found(inbox, "heron", 1).text("messages.0.timestamp");
        send(inbox, "heron new", "-");
        String last = found(inbox, "heron", 2).text("messages.0.timestamp");
        assertThat(subjects(messages(inbox, "heron&after=" + last))).containsExactly("heron new");
        assertThat(subjects(messages(inbox, "heron&before=" + last))).containsExactly("heron old");
        assertThat(subjects(messages(inbox, "heron&after=" + first + "&before=" + last)))
                .containsExactly("heron old");
    }

    @Test
    void manyRunsAreMergedAndFindTheSame() {
        String inbox = world.inbox("merged");
        for (int i = 0; i < 12; i++) {
            send(inbox, "badger " + i, "number" + i);
            found(inbox, "number" + i, 1);
        }
        assertThat(found(inbox, "badger", 12).at("count")).isEqualTo(12L);
        await(() -> liveRuns(inbox) < MergeScheduler.FEW);
        assertThat(messages(inbox, "badger").list("messages")).hasSize(12);
    }

    private static int liveRuns(String inbox) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*)::integer as n from search_run r join inbox i"
                                + " on i.inbox_id = r.scope_id where r.live and i.address = :address")
                        .bind("address", inbox)
                        .one(row -> row.integer("n")));
    }

    @Test
    @Proves("P1c")
    void mailThatWasCommittedWhileNothingIndexedIsFoundAfterTheNextStart() {
        String inbox = world.inbox("crash");
        send(inbox, "lynx before", "-");
        found(inbox, "lynx", 1);
        // As if the process had died between the commit and the batch: the rows alone must tell.
        world.database()
                .writeGlobal(
                        tx -> tx.sqlAcrossTenants("delete from search_progress").run());
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("delete from search_run").run());
        assertThat(messages(inbox, "lynx").list("messages")).isEmpty();
        world.restart();
        assertThat(subjects(found(inbox, "lynx", 1))).containsExactly("lynx before");
    }

    @Test
    void aDeletedInboxLeavesNoTextAndNoRunOfItsOwn() {
        String inbox = world.inbox("gone");
        send(inbox, "kestrel", "kestrelbody");
        found(inbox, "kestrelbody", 1);
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        assertThat(threads("/v0/threads", "kestrel").list("threads")).isEmpty();
        Instant end = Instant.now().plus(FRESH);
        while (texts() > 0 && Instant.now().isBefore(end)) {
            Eventually.pause();
        }
        assertThat(texts()).isZero();
        while (strangersInTheIndex() > 0 && Instant.now().isBefore(end)) {
            Eventually.pause();
        }
        assertThat(runsOfNoInbox()).isZero();
    }

    private static int runsOfNoInbox() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select count(*) as n from search_run r where r.live and not exists"
                                        + " (select 1 from inbox i where i.inbox_id = r.scope_id and not i.deleting) and not exists"
                                        + " (select 1 from pod p where p.pod_id = r.scope_id) and r.scope_id <> r.organization_id")
                        .one(row -> row.integer("n")));
    }

    /** Messages that are named in a live run of the index, and are not there any more. */
    private static int strangersInTheIndex() {
        return world.database().read(tx -> {
            Set<UUID> there = Set.copyOf(
                    tx.sqlAcrossTenants("select m.message_id from message m").list(row -> row.uuid("message_id")));
            return (int) tx
                    .sqlAcrossTenants("select r.documents, b.content from search_run r join search_block b"
                            + " on b.organization_id = r.organization_id and b.scope_id = r.scope_id and b.run = r.run and b.key < 0"
                            + " where r.live")
                    .list(row -> row.bytes("content"))
                    .stream()
                    .flatMap(block ->
                            IntStream.range(0, block.length / 16).mapToObj(i -> DocumentBlocks.message(block, i)))
                    .filter(message -> !there.contains(message))
                    .count();
        });
    }

    @Test
    void aDeletedMessageLeavesTheIndexItselfWithinADay() {
        String inbox = world.inbox("forgotten");
        send(inbox, "wryneck", "wryneckbody");
        send(inbox, "hoopoe", "hoopoebody");
        String id = found(inbox, "wryneckbody", 1).text("messages.0.message_id");
        found(inbox, "hoopoebody", 1);
        world.http().delete("/v0/inboxes/" + inbox + "/messages/" + encoded(id)).is(200);
        assertThat(strangersInTheIndex()).isPositive();
        world.advance(Duration.ofHours(13));
        Instant end = Instant.now().plusSeconds(20);
        while (strangersInTheIndex() > 0 && Instant.now().isBefore(end)) {
            Eventually.pause();
        }
        assertThat(strangersInTheIndex()).isZero();
        assertThat(subjects(found(inbox, "hoopoe", 1))).containsExactly("hoopoe");
    }

    @Test
    void aBacklogOfManyBatchesIsIndexedWholeThoughSomeOfItIsDeleted() {
        String inbox = world.inbox("backlog");
        String gone = world.inbox("backlog-gone");
        List<String> both = List.of(inbox, gone);
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            for (int i = 0; i < 200; i++) {
                assertThat(probe.send(
                                "jo@example.com",
                                both,
                                "From: jo@example.com\r\nMessage-ID: <" + i + "@backlog.test>\r\nSubject: dunlin " + i
                                        + "\r\n\r\n-\r\n"))
                        .startsWith("250");
            }
        }
        await(() -> behind() == 0);
        // All is to be indexed anew, and of every full batch something is not there any more.
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("update inbox set deleting = true where address = :address")
                        .bind("address", gone)
                        .run());
        world.database()
                .writeGlobal(
                        tx -> tx.sqlAcrossTenants("delete from search_progress").run());
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("delete from search_run").run());
        send(inbox, "dunlin last", "-");
        await(() -> behind() == 0);
        assertThat(runDocuments(inbox)).isEqualTo(201);
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("update inbox set deleting = false where address = :address")
                        .bind("address", gone)
                        .run());
    }

    private static long behind() {
        return IndexLag.behind(world);
    }

    private static int runDocuments(String inbox) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select coalesce(sum(r.documents), 0)::integer as n from search_run r"
                                + " join inbox i on i.inbox_id = r.scope_id where r.live and i.address = :address")
                        .bind("address", inbox)
                        .one(row -> row.integer("n")));
    }

    private static void await(BooleanSupplier condition) {
        Instant end = Instant.now().plusSeconds(30);
        while (!condition.getAsBoolean() && Instant.now().isBefore(end)) {
            Eventually.pause();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void shortWordsOfALongerQueryArePartsOfWordsInTheHeader() {
        String inbox = world.inbox("parts");
        send(inbox, "Order XAB-1234", "about jo and others");
        assertThat(subjects(found(inbox, "AB-1234", 1))).containsExactly("Order XAB-1234");
        assertThat(subjects(found(inbox, "der xa", 1))).containsExactly("Order XAB-1234");
        assertThat(messages(inbox, "others abou").list("messages")).isEmpty();
    }

    @Test
    void aLongTextOfAnUnspacedScriptIsSearchedToItsEnd() {
        String inbox = world.inbox("unspaced");
        send(inbox, "novel", "\u6625\u590f\u79cb\u51ac".repeat(10_000) + "\u9e9f\u9e9e");
        assertThat(subjects(found(inbox, "\u9e9f\u9e9e", 1))).containsExactly("novel");
    }

    /** Texts of messages that are not there any more. */
    private static int texts() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from search_text x where not exists"
                                + " (select 1 from message m where m.organization_id = x.organization_id and m.message_id = x.message_id)"
                                + " or exists (select 1 from message m join inbox i on i.inbox_id = m.inbox_id"
                                + " where m.message_id = x.message_id and i.deleting)")
                        .one(row -> row.integer("n")));
    }

    @Test
    @Proves("P19")
    void aDeletedMessageIsGoneFromSearchAtOnceAndItsTextWithIt() {
        String inbox = world.inbox("deleted");
        send(inbox, "plover", "ploverbody");
        String id = found(inbox, "ploverbody", 1).text("messages.0.message_id");
        world.http().delete("/v0/inboxes/" + inbox + "/messages/" + encoded(id)).is(200);
        assertThat(messages(inbox, "plover").list("messages")).isEmpty();
        assertThat(threads("/v0/threads", "ploverbody").list("threads")).isEmpty();
        assertThat(texts()).isZero();
    }

    @Test
    void mailOutsideOfTheDefaultPodIsFoundAtEveryLevel() {
        String id = world.pod("Other");
        String outside = world.http()
                .post("/v0/pods/" + id + "/inboxes", "{\"username\":\"outside\"}")
                .is(200)
                .text("inbox_id");
        String inside = world.inbox("inside");
        send(outside, "marmot one", "-");
        send(inside, "marmot two", "-");
        found(outside, "marmot", 1);
        found(inside, "marmot", 1);
        assertThat(threads("/v0/threads", "marmot").list("threads").stream()
                        .map(each -> String.valueOf(((Map<?, ?>) each).get("subject"))))
                .containsExactly("marmot two", "marmot one");
        assertThat(threads("/v0/pods/" + id + "/threads", "marmot").list("threads"))
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
                .post("/v0/inboxes", "{\"username\":\"kiosk.west\",\"display_name\":\"Café Zürich\"}")
                .is(200);
        world.http()
                .post("/v0/inboxes", "{\"username\":\"kiosk\",\"display_name\":\"Old Kiosk\"}")
                .is(200);
        assertThat(inboxes("ki")).containsExactly("kiosk@mail.localhost", "kiosk.west@mail.localhost");
        assertThat(inboxes("wes")).containsExactly("kiosk.west@mail.localhost");
        assertThat(inboxes("cafe zur")).containsExactly("kiosk.west@mail.localhost");
        assertThat(inboxes("iosk")).isEmpty();
        assertThat(inboxes("KIOSK@mail.localhost").getFirst()).isEqualTo("kiosk@mail.localhost");
        world.http()
                .patch("/v0/inboxes/kiosk@mail.localhost", "{\"display_name\":\"Newstand\"}")
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
        return world.http().get("/v0/inboxes/search?q=" + encoded(query)).is(200).list("inboxes").stream()
                .<Object>map(inbox -> ((Map<?, ?>) inbox).get("inbox_id"))
                .toList();
    }

    private static void send(String inbox, String subject, String text) {
        world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        "{\"to\":\"jo@elsewhere.test\",\"subject\":\"" + subject + "\",\"text\":\"" + text + "\"}")
                .is(200);
    }

    /** The answer once it has that many messages; the index follows the mail by a fraction of a second. */
    private static HttpProbe.Answer found(String inbox, String query, int count) {
        Instant end = Instant.now().plus(FRESH);
        HttpProbe.Answer answer = messages(inbox, query).is(200);
        while (answer.list("messages").size() < count && Instant.now().isBefore(end)) {
            answer = messages(inbox, query).is(200);
        }
        assertThat(answer.list("messages")).as(query).hasSize(count);
        return answer;
    }

    private static HttpProbe.Answer messages(String inbox, String query) {
        int more = query.indexOf("&after=") >= 0 ? query.indexOf("&after=") : query.indexOf("&before=");
        String q = more < 0 ? query : query.substring(0, more);
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/search?q=" + encoded(q)
                        + (more < 0 ? "" : query.substring(more)));
    }

    private static HttpProbe.Answer threads(String path, String query) {
        return world.http().get(path + "/search?q=" + encoded(query)).is(200);
    }

    private static List<Object> subjects(HttpProbe.Answer answer) {
        return answer.list("messages").stream()
                .<Object>map(each -> ((Map<?, ?>) each).get("subject"))
                .toList();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
