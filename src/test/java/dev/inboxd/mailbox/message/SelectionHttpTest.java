package dev.inboxd.mailbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.platform.http.HttpProbe;
import dev.inboxd.server.World;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** New mail of several organizations, read together. */
class SelectionHttpTest {
    private static World world;
    private static UUID much;
    private static UUID little;

    @BeforeAll
    static void start() {
        world = World.start();
        much = filled(world.http(), "much", 5);
        little = filled(world.as(world.otherOrganization()), "little", 1);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @Test
    void newMailOfSeveralOrganizationsIsReadTogetherAndEachGetsItsOwn() {
        Map<UUID, Selection.Stretch> together = made(List.of(much, little), new Selection.Limit(128, 256), _ -> true);
        assertThat(subjects(together, much)).isEqualTo(subjects("much", 5));
        assertThat(subjects(together, little)).isEqualTo(subjects("little", 1));
        assertThat(together.values())
                .allSatisfy(stretch -> assertThat(stretch.reached()).isEqualTo(Long.MAX_VALUE));
        assertThat(subjects(made(List.of(much), new Selection.Limit(128, 256), _ -> true), much))
                .isEqualTo(subjects("much", 5));
    }

    @Test
    void whoHasLittleIsReadWholeAndWhoHasMuchTakesTheRoomThatIsLeft() {
        Map<UUID, Selection.Stretch> together = made(List.of(much, little), new Selection.Limit(128, 4), _ -> true);
        assertThat(subjects(together, little)).isEqualTo(subjects("little", 1));
        assertThat(subjects(together, much)).isEqualTo(subjects("much", 3));
        Selection.Stretch cut = Objects.requireNonNull(together.get(much));
        assertThat(cut.reached()).isEqualTo(cut.messages().getLast().number());
        assertThat(subjects(made(List.of(much, little), new Selection.Limit(128, 1), _ -> true), much))
                .isEqualTo(subjects("much", 1));
    }

    @Test
    void whatTheCallerDoesNotKnowIsReadWithItsContent() {
        Map<UUID, Selection.Stretch> together = made(List.of(much, little), new Selection.Limit(128, 256), _ -> false);
        assertThat(subjects(together, much)).isEqualTo(subjects("much", 5));
        assertThat(Objects.requireNonNull(together.get(little)).messages())
                .allSatisfy(made -> assertThat(made.content()).isNotNull());
    }

    private static Map<UUID, Selection.Stretch> made(
            List<UUID> organizations, Selection.Limit limit, Predicate<UUID> known) {
        Map<UUID, Selection.Span> spans = new LinkedHashMap<>();
        organizations.forEach(each -> spans.put(each, new Selection.Span(0, Long.MAX_VALUE)));
        return world.database().read(tx -> Selection.made(tx, spans, limit, known));
    }

    private static List<String> subjects(Map<UUID, Selection.Stretch> stretches, UUID organization) {
        return Objects.requireNonNull(stretches.get(organization)).messages().stream()
                .map(made -> String.valueOf(made.message().subject()))
                .toList();
    }

    private static List<String> subjects(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + " " + i).toList();
    }

    /** An organization with so many messages in one inbox. */
    private static UUID filled(HttpProbe http, String name, int count) {
        String inbox = http.post("/v0/inboxes", "{\"username\":\"" + name + "\"}")
                .is(200)
                .text("inbox_id");
        subjects(name, count)
                .forEach(subject -> http.post(
                                "/v0/inboxes/" + inbox + "/messages/send",
                                "{\"to\":\"jo@elsewhere.test\",\"subject\":\"" + subject + "\",\"text\":\"-\"}")
                        .is(200));
        return world.database()
                .read(tx -> tx.sqlAcross("select i.organization_id from inbox i where i.address = :address")
                        .bind("address", inbox)
                        .one(row -> row.uuid("organization_id")));
    }
}
