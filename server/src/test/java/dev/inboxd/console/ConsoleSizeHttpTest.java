package dev.inboxd.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages stay small however much there is to show, and every key has a button that can be seen. */
class ConsoleSizeHttpTest {
    private static final int PAGE = 32 * 1024;

    @RegisterExtension
    private static final World world = World.start();

    private static ConsoleProbe console;
    private static FullConsole full;

    @BeforeAll
    static void start() {
        full = FullConsole.of(world);
        console = new ConsoleProbe(world, full.inbox());
    }

    @Test
    void fullPagesAreSmall() {
        List<String> tooLarge = new ArrayList<>();
        for (String path : full.paths()) {
            Answer page = world.operator().get("/console" + path).is(200);
            if (page.body().length > PAGE) {
                tooLarge.add(path + ": " + page.body().length);
            }
        }
        assertThat(tooLarge).isEmpty();
    }

    @Test
    void whatPagesLoadIsSmall() {
        assertThat(world.anonymous().get("/assets/inboxd.css").is(200).body().length)
                .isLessThanOrEqualTo(16 * 1024);
        assertThat(world.anonymous().get("/assets/console.js").is(200).body().length)
                .isLessThanOrEqualTo(20 * 1024);
        // Lists and conversations alone load it: picking, reading beside the list, the place on the way back.
        assertThat(world.anonymous().get("/assets/lists.js").is(200).body().length)
                .isLessThanOrEqualTo(9 * 1024);
    }

    @Test
    void everyKeyHasAButtonThatSaysIt() {
        String list = console.page("/inboxes/" + console.inbox());
        for (String key : List.of("j", "k", "o", "u", "i", "g", "x", "?")) {
            assertThat(list).as(key).contains("data-key=\"" + key + "\"");
        }
        assertThat(list)
                .contains(
                        "Next <kbd>j</kbd>",
                        "Search <kbd>/</kbd>",
                        "Select <kbd>x</kbd>",
                        "Go to… <kbd>Ctrl K</kbd>",
                        "<kbd>i</kbd>");
        String conversation = console.page(full.thread());
        for (String key : List.of("e", "r", "a", "u")) {
            assertThat(conversation).as(key).contains("data-key=\"" + key + "\"", "<kbd>" + key + "</kbd>");
        }
        String script = world.anonymous().get("/assets/console.js").is(200).text();
        for (String key : List.of("j", "k", "o", "u", "e", "r", "a", "i", "g", "x")) {
            assertThat(script).as("the list of keys has " + key).contains(" " + key + ": \"");
        }
    }
}
