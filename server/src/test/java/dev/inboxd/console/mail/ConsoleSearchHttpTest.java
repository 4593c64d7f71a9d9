package dev.inboxd.console.mail;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One search over all inboxes that takes words and filters at once, and passes over nothing that was typed. */
class ConsoleSearchHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static ConsoleProbe console;
    private static String thread = "";

    @BeforeAll
    static void start() {
        console = ConsoleProbe.of(world, "first");
        ConsoleProbe second = new ConsoleProbe(world, world.inbox("second"));
        thread = console.received("one", "Subject: The plan\r\n\r\nA plan of the office.\r\n");
        second.received("two", "Subject: Lamps\r\n\r\nA plan <b> of the house.\r\n");
        world.http()
                .post(
                        "/v0/inboxes/" + console.inbox() + "/messages/send",
                        json("to", "maria@shop.test", "subject", "Tables", "text", "A plan of the garden."))
                .is(200);
        Eventually.await(() -> {
            String page = search("plan");
            return page.contains("Lamps") && page.contains("Tables") && page.contains("The ");
        });
    }

    private static String search(String typed) {
        return console.page("/mail?q=" + ConsoleProbe.encoded(typed));
    }

    @Test
    void wordsAndFiltersAreLookedForAtOnceAndWordsAreMarked() {
        assertThat(search("plan from:jo"))
                .contains("The <mark class=\"hit\">plan</mark>", "Lamps", "Jo → first", "Jo → second", "from:jo")
                .contains("<mark class=\"hit\">plan</mark> &lt;b&gt; of the house")
                .doesNotContain("Tables");
        assertThat(search("plan to:maria after:2020-01-01")).contains("Tables").doesNotContain("Lamps", "Jo →");
        assertThat(search("plan in:second")).contains("Lamps").doesNotContain("Tables", "The <mark");
        assertThat(search("office in:second")).contains("No results");
        assertThat(search("from:jo waiting:me label:unread")).contains("Lamps", "The plan");
        assertThat(search("has:file")).contains("No results");
        String own = "/inboxes/" + console.inbox();
        assertThat(console.page(own + "?q=plan+from%3Ajo"))
                .contains("The <mark")
                .doesNotContain("Tables", "Lamps");
        assertThat(console.page(own + "?tab=sent&q=plan")).contains("Tables").doesNotContain("The <mark");
    }

    @Test
    void whatCannotBeDoneTogetherIsRefusedInWords() {
        assertThat(search("plan waiting:me")).contains("cannot be combined").doesNotContain("class=\"row");
        assertThat(search("plan label:spam")).contains("Mail with the label spam is hidden");
        assertThat(search("plan has:cake"))
                .contains("The filter has: takes file or attachment")
                .doesNotContain("class=\"row");
        assertThat(search("plan before:yesterday")).contains("The filter before: needs a date");
        assertThat(search("in:first in:second")).contains("can be used only once");
        assertThat(search("in:nobody@mail.localhost")).contains("There is no inbox nobody@mail.localhost");
        assertThat(search("plan cc:jo")).contains("Not a filter, so searched as words: <b>cc:jo</b>");
        assertThat(console.page("/inboxes/" + console.inbox() + "?q=plan+in%3Asecond"))
                .contains("Use the page All mail");
        assertThat(console.page("/inboxes/" + console.inbox() + "?tab=me&q=plan"))
                .contains("cannot be combined with words");
    }

    @Test
    void anInboxIsNamedByItsBeginningAndSaid() {
        assertThat(search("plan in:sec")).contains("in:sec (second@mail.localhost)", "Lamps");
        assertThat(search("plan in:econd")).contains("There is no inbox econd").doesNotContain("class=\"row");
    }

    @Test
    void daysAreHeadingsOnlyWhereTheyAreTheOrder() {
        assertThat(search("from:jo")).contains("data-days");
        assertThat(search("plan from:jo")).contains("class=\"row").doesNotContain("data-days");
        assertThat(search("waiting:me")).contains("class=\"row").doesNotContain("data-days");
    }

    @Test
    void theZoneGoesAlong() {
        assertThat(console.page("/mail?zone=Asia%2FTokyo")).contains("href=\"?zone=Asia%2FTokyo&amp;q=has%3Afile\"");
        assertThat(console.page("/palette?zone=Asia%2FTokyo&q=plan"))
                .contains("/console/mail?zone=Asia%2FTokyo&amp;q=plan\"");
    }

    @Test
    void everyPageLeadsToItAndThePaletteFindsMailInboxesAndActions() {
        for (String path : new String[] {"", "/inboxes", "/keys", "/webhooks", thread}) {
            assertThat(console.page(path)).as(path).contains("<a href=\"/console/mail\" data-place");
        }
        assertThat(console.page("/palette?q=plan"))
                .contains("/console" + thread + "\"", "Jo → first", "Search all mail for “plan”");
        assertThat(console.page("/palette?q=second"))
                .contains("Inbox second@mail.localhost", "Pause second@mail.localhost…", "New message from second");
        assertThat(console.page("/palette?q=stop"))
                .contains("Stop all outgoing mail")
                .doesNotContain("Create new key");
        assertThat(console.page("/palette?q=new")).contains("Create new key", "Create new inbox");
        assertThat(console.page("/palette?q=first%20key")).contains("Key First key");
        assertThat(console.page("/palette")).contains("Create new key").doesNotContain("Search all mail for");
    }
}
