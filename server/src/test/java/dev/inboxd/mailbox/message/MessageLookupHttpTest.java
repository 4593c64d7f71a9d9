package dev.inboxd.mailbox.message;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** New mail of several organizations, read together. */
class MessageLookupHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static UUID much;
    private static UUID little;

    @BeforeAll
    static void start() {
        much = filled(world.http(), "much", 5);
        little = filled(world.as(world.otherOrganization()), "little", 1);
    }

    @Test
    @Proves("P6b")
    void newMailOfSeveralOrganizationsIsReadTogetherAndEachGetsItsOwn() {
        Map<UUID, MessageLookup.ScanResult> together =
                made(List.of(much, little), new MessageLookup.ScanLimit(128, 256), _ -> true);
        assertThat(subjects(together, much)).isEqualTo(subjects("much", 5));
        assertThat(subjects(together, little)).isEqualTo(subjects("little", 1));
        assertThat(together.values())
                .allSatisfy(stretch -> assertThat(stretch.upTo()).isEqualTo(Long.MAX_VALUE));
        assertThat(subjects(made(List.of(much), new MessageLookup.ScanLimit(128, 256), _ -> true), much))
                .isEqualTo(subjects("much", 5));
    }

    @Test
    void whoHasLittleIsReadWholeAndWhoHasMuchTakesTheRoomThatIsLeft() {
        Map<UUID, MessageLookup.ScanResult> together =
                made(List.of(much, little), new MessageLookup.ScanLimit(128, 4), _ -> true);
        assertThat(subjects(together, little)).isEqualTo(subjects("little", 1));
        assertThat(subjects(together, much)).isEqualTo(subjects("much", 3));
        MessageLookup.ScanResult cut = Objects.requireNonNull(together.get(much));
        assertThat(cut.upTo()).isEqualTo(cut.messages().getLast().number());
        assertThat(subjects(made(List.of(much, little), new MessageLookup.ScanLimit(128, 1), _ -> true), much))
                .isEqualTo(subjects("much", 1));
    }

    @Test
    void whatTheCallerDoesNotKnowIsReadWithItsContent() {
        Map<UUID, MessageLookup.ScanResult> together =
                made(List.of(much, little), new MessageLookup.ScanLimit(128, 256), _ -> false);
        assertThat(subjects(together, much)).isEqualTo(subjects("much", 5));
        assertThat(Objects.requireNonNull(together.get(little)).messages())
                .allSatisfy(made -> assertThat(made.content()).isNotNull());
    }

    private static Map<UUID, MessageLookup.ScanResult> made(
            List<UUID> organizations, MessageLookup.ScanLimit limit, Predicate<UUID> known) {
        Map<UUID, MessageLookup.ChangeRange> spans = new LinkedHashMap<>();
        organizations.forEach(each -> spans.put(each, new MessageLookup.ChangeRange(0, Long.MAX_VALUE)));
        return world.database().read(tx -> MessageLookup.created(tx, spans, limit, known));
    }

    private static List<String> subjects(Map<UUID, MessageLookup.ScanResult> stretches, UUID organization) {
        return Objects.requireNonNull(stretches.get(organization)).messages().stream()
                .map(made -> String.valueOf(made.message().subject()))
                .toList();
    }

    private static List<String> subjects(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + " " + i).toList();
    }

    /** An organization with so many messages in one inbox. */
    private static UUID filled(HttpProbe http, String name, int count) {
        String inbox = http.post("/v0/inboxes", json("username", name)).is(200).text("inbox_id");
        subjects(name, count)
                .forEach(subject -> http.post(
                                "/v0/inboxes/" + inbox + "/messages/send",
                                json("to", "jo@elsewhere.test", "subject", subject, "text", "-"))
                        .is(200));
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select i.organization_id from inbox i where i.address = :address")
                        .bind("address", inbox)
                        .single(row -> row.uuid("organization_id")));
    }
}
