package dev.inboxd.mailbox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.StatementRecorder;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.mailbox.thread.MailFilter;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestSize;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is looked for only as far as it is shown, beside every message looked at one by one, which is obviously right.
 */
class RankedHitsHttpTest {
    /**
     * Dense and rare; in the body, the header or both; old ones; parts of words; accents; scripts without spaces;
     * misses.
     */
    private static final List<String> WORDS = List.of(
            "dense",
            "tenth",
            "rare",
            "seldom",
            "ancient",
            "body",
            "rarehead",
            "oldhead",
            "head",
            "invoice",
            "voic",
            "news",
            "acme",
            "test",
            "müller",
            "MULLER",
            "café",
            "cafe",
            "ann",
            "to3",
            "\u4eac",
            "\u4f1a\u8b70",
            "\u6771\u4eac",
            "\u4eac\u90fd",
            "missing",
            "in",
            "de");

    /** One of each kind, for the short form. */
    private static final List<String> SOME_WORDS = List.of(
            "dense",
            "seldom",
            "rarehead",
            "oldhead",
            "invoice",
            "voic",
            "MULLER",
            "cafe",
            "to3",
            "\u4eac",
            "\u4f1a\u8b70",
            "missing",
            "de");

    private static final Map<String, List<Integer>> RANKS = new HashMap<>();
    private static final Map<String, NormalizedText> BODIES = new HashMap<>();
    private static StatementRecorder recorder;
    private static World world;
    private static SearchCorpus corpus;

    @BeforeAll
    static void start() {
        recorder = StatementRecorder.start();
        world = World.start(Map.of(), recorder::before);
        corpus = new SearchCorpus(world, 11);
    }

    @AfterAll
    static void stop() {
        world.close();
        recorder.close();
    }

    @Test
    @Tag("long")
    @Proves("P11")
    void theIndexGivesTheOrderThatEveryMessageLookedAtByItselfGives() {
        int turn = 0;
        for (View view : views()) {
            for (SearchSql.TimeWindow times : times()) {
                for (String word : someWords(turn++)) {
                    List<Hit> expected = expected(view, word, times).stream()
                            .sorted(Hit.BEST_FIRST)
                            .toList();
                    List<Hit> found = new ArrayList<>();
                    world.database().<Boolean>read(tx -> {
                        RankedHits hits = RankedHits.of(
                                new SearchSql(
                                        tx, view, new MailFilter(List.of(), 0, null, null), Duration.ofSeconds(30)),
                                SearchQuery.of(word),
                                times,
                                5);
                        while (hits.hasNext()) {
                            found.add(hits.next());
                            if (found.size() == 1 || found.size() == expected.size()) {
                                assertThat(hits.youngest())
                                        .isEqualTo(expected.stream()
                                                .map(Hit::at)
                                                .max(Instant::compareTo)
                                                .orElseThrow());
                            }
                        }
                        return true;
                    });
                    assertThat(found.equals(expected))
                            .as(word + " " + view + " " + times + ": " + found.size() + " of " + expected.size()
                                    + ", not alike from the " + difference(found, expected) + "th on")
                            .isTrue();
                }
            }
        }
    }

    /** In the short form every sixth, from another one at each turn, so that each view has each word. */
    private static List<String> someWords(int turn) {
        List<String> words = words();
        int step = TestSize.of(6, 1);
        return IntStream.range(0, words.size())
                .filter(i -> (i + turn) % step == 0)
                .mapToObj(words::get)
                .toList();
    }

    private static List<String> words() {
        return TestSize.isWhole() ? WORDS : SOME_WORDS;
    }

    @Test
    @Tag("long")
    void itIsWhatTheWholeSearchFinds() {
        for (View view : views()) {
            for (String word : words()) {
                SearchQuery query = SearchQuery.of(word);
                SearchSql.TimeWindow times = times().getFirst();
                List<Hit> found = world.database().read(tx -> {
                    SearchSql sql =
                            new SearchSql(tx, view, new MailFilter(List.of(), 0, null, null), Duration.ofSeconds(30));
                    return IndexSearch.run(sql, sql.segments(), query, times);
                });
                assertThat(found).as(word).isEqualTo(expected(view, word, times));
            }
        }
    }

    @Test
    @Tag("long")
    void aFilterBesideWordsKeepsWhatEveryMessageLookedAtByItselfTells() {
        View view = View.of(corpus.organization);
        for (MailFilter.Texts texts : List.of(
                new MailFilter.Texts(List.of("zoe@SOUTH"), List.of(), List.of()),
                new MailFilter.Texts(List.of("n m\u00fcll"), List.of("to3", "nn.te"), List.of()),
                new MailFilter.Texts(List.of(), List.of(), List.of("oldhead", "new")),
                new MailFilter.Texts(List.of("\u5317"), List.of(), List.of("oic")))) {
            for (String word : List.of("dense", "ancient")) {
                assertThat(filtered(view, of(texts), word))
                        .as(texts + " " + word)
                        .isEqualTo(corpus.letters.stream()
                                .filter(each -> each.restricted() == 0 && rank(word, each) != MatchRank.NONE)
                                .filter(each -> has(texts.senders(), each.sender())
                                        && has(texts.recipients(), each.recipient())
                                        && has(texts.subject(), each.subject()))
                                .sorted((a, b) -> b.at().compareTo(a.at()))
                                .limit(1_000)
                                .map(SearchCorpus.Letter::id)
                                .toList());
            }
        }
    }

    @Test
    void aRareSenderIsFoundAmongManyMessagesByTheIndex() {
        MailFilter.Texts texts = new MailFilter.Texts(List.of("QUENTIN.bl"), List.of(), List.of());
        View view = View.of(corpus.organization);
        recorder.forget();
        assertThat(filtered(view, of(texts), "dense"))
                .containsExactly(corpus.letters.get(SearchCorpus.RARE).id());
        assertThat(recorder.texts().stream().filter(text -> text.contains("from message m") && text.contains("strpos")))
                .hasSize(1);
    }

    @Test
    void whatTheIndexDoesNotTellIsFilteredInFewStatements() {
        MailFilter attached = new MailFilter(List.of(), 0, null, null).with(true);
        recorder.forget();
        assertThat(filtered(View.of(corpus.organization), attached, "dense")).isEmpty();
        // Thousands at once, whose rows are not read.
        assertThat(recorder.texts())
                .anyMatch(text -> text.startsWith("select m.message_id from message m") && text.contains("strpos"));
    }

    private static MailFilter of(MailFilter.Texts texts) {
        return new MailFilter(List.of(), 0, null, null).with(texts);
    }

    private static List<UUID> filtered(View view, MailFilter filter, String word) {
        return world.database().read(tx -> {
            List<UUID> found = new ArrayList<>();
            RankedHits hits = RankedHits.of(
                    new SearchSql(tx, view, filter, Duration.ofSeconds(30)),
                    SearchQuery.of(word),
                    times().getFirst(),
                    5);
            while (hits.hasNext()) {
                Hit hit = hits.next();
                found.add(hit.message());
            }
            return corpus.letters.reversed().stream()
                    .map(SearchCorpus.Letter::id)
                    .filter(Set.copyOf(found)::contains)
                    .toList();
        });
    }

    private static boolean has(List<String> parts, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return parts.stream().allMatch(part -> lower.contains(part.toLowerCase(Locale.ROOT)));
    }

    @Test
    @Tag("long")
    void pagesWalkedToTheEndShowEachHitOnceInThatOrder() {
        View inbox = views().getFirst();
        View organization = View.of(corpus.organization);
        String path = "/v0/inboxes/" + corpus.first.address();
        for (String word : List.of("dense", "oldhead", "invoice", "rarehead", "cafe", "\u4f1a\u8b70", "seldom")) {
            List<Hit> messages = expected(inbox, word, times().getFirst()).stream()
                    .sorted(Hit.BEST_FIRST)
                    .toList();
            assertThat(walked(path + "/messages", word, "messages", "message_id"))
                    .as(word)
                    .isEqualTo(messages.stream()
                            .map(hit -> "<" + hit.message() + "@corpus.test>")
                            .toList());
            List<Hit> all = expected(organization, word, times().getFirst()).stream()
                    .sorted(Hit.BEST_FIRST)
                    .toList();
            Set<String> threads = new LinkedHashSet<>();
            all.forEach(hit -> threads.add(hit.thread().toString()));
            assertThat(walked("/v0/threads", word, "threads", "thread_id"))
                    .as(word)
                    .isEqualTo(List.copyOf(threads));
        }
    }

    @Test
    void aPageReadsTheRowsOfFewMessagesHoweverManyHaveTheWord() {
        String path = "/v0/inboxes/" + corpus.first.address() + "/messages/search?limit=10&q=ancient";
        world.http().get(path).is(200);
        List<String> texts = recorder.during(() -> world.http().get(path).is(200));
        assertThat(texts.stream().filter(text -> text.contains("from search_block x")))
                .hasSize(1);
        assertThat(texts.stream().filter(text -> text.contains("from message m")))
                .hasSizeLessThan(4);
    }

    /** Where two lists part; a thousand hits each are too many to show. */
    private static long difference(List<Hit> one, List<Hit> other) {
        return IntStream.range(0, Math.min(one.size(), other.size()))
                .takeWhile(i -> one.get(i).equals(other.get(i)))
                .count();
    }

    private static List<View> views() {
        UUID organization = corpus.organization;
        View all = View.of(organization);
        return List.of(
                all.inbox(corpus.first.inbox()),
                all.pod(corpus.first.pod()),
                all.pod(corpus.second.pod()),
                all,
                new View(organization, null, null, 15, null),
                new View(organization, null, corpus.second.inbox(), 0, time(0.4)));
    }

    private static List<SearchSql.TimeWindow> times() {
        return List.of(
                new SearchSql.TimeWindow(SearchSql.TimeWindow.ALWAYS, null, null),
                new SearchSql.TimeWindow(time(0.9), null, null),
                new SearchSql.TimeWindow(SearchSql.TimeWindow.ALWAYS, time(0.2), time(0.5)));
    }

    private static Instant time(double part) {
        return corpus.letters.get((int) (part * SearchCorpus.MESSAGES)).at();
    }

    /** The newest thousand that fit, the newest first. */
    private static List<Hit> expected(View view, String word, SearchSql.TimeWindow times) {
        List<Integer> ranks = RANKS.computeIfAbsent(
                word, _ -> corpus.letters.stream().map(each -> rank(word, each)).toList());
        List<Hit> expected = new ArrayList<>();
        for (int i = SearchCorpus.MESSAGES - 1; i >= 0 && expected.size() < 1_000; i--) {
            SearchCorpus.Letter letter = corpus.letters.get(i);
            boolean shown = letter.restricted() == 0 && isIn(view, letter) && isWithin(times, letter.at());
            if (shown && ranks.get(i) != MatchRank.NONE) {
                expected.add(new Hit(letter.id(), letter.thread(), ranks.get(i), letter.at()));
            }
        }
        return expected;
    }

    private static int rank(String word, SearchCorpus.Letter letter) {
        SearchQuery query = SearchQuery.of(word);
        boolean inBody = BODIES.computeIfAbsent(letter.body(), NormalizedText::of)
                .hasInBody(query.words().getFirst(), true);
        return new MatchRank(
                        query,
                        new SearchSql.CandidateMessage(
                                letter.id(),
                                letter.thread(),
                                letter.at(),
                                letter.sender(),
                                letter.subject(),
                                letter.recipient()))
                .rank(inBody, letter.body());
    }

    private static boolean isIn(View view, SearchCorpus.Letter letter) {
        return is(view.pod(), letter.home().pod())
                && is(view.inbox(), letter.home().inbox())
                && (view.since() == null || !letter.at().isBefore(view.since()));
    }

    private static boolean is(@Nullable UUID wanted, UUID id) {
        return wanted == null || wanted.equals(id);
    }

    private static boolean isWithin(SearchSql.TimeWindow times, Instant at) {
        return !at.isAfter(times.snapshot())
                && (times.after() == null || !at.isBefore(times.after()))
                && (times.before() == null || at.isBefore(times.before()));
    }

    private static List<Object> walked(String path, String word, String name, String id) {
        List<Object> walked = new ArrayList<>();
        Function<String, HttpProbe.Answer> page = token -> world.http()
                .get(path + "/search?limit=67&q=" + URLEncoder.encode(word, StandardCharsets.UTF_8) + token)
                .is(200);
        HttpProbe.Answer answer = page.apply("");
        while (true) {
            answer.list(name).forEach(item -> walked.add(((Map<?, ?>) item).get(id)));
            if (answer.at("next_page_token") == null) {
                return walked;
            }
            answer = page.apply("&page_token=" + answer.text("next_page_token"));
        }
    }
}
