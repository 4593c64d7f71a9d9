package dev.inboxd.calendar;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Writers of one event at the same time, on two nodes (calendar.md §6). */
class CalendarConcurrencyHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static World beside;

    @BeforeAll
    static void start() {
        beside = world.beside();
    }

    @AfterAll
    static void stop() {
        beside.close();
    }

    private static HttpProbe node(int number) {
        return (number % 2 == 0 ? world : beside).http();
    }

    private static List<HttpProbe.Answer> atOnce(List<Callable<HttpProbe.Answer>> requests) throws Exception {
        List<HttpProbe.Answer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<HttpProbe.Answer> each : threads.invokeAll(requests)) {
                answers.add(each.get());
            }
        }
        return answers;
    }

    private static void oneWins(CalendarProbe calendar, String id, String tag, long revision) throws Exception {
        List<Callable<HttpProbe.Answer>> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            HttpProbe node = node(i).with("If-Match", tag);
            String body = json("title", "Writer " + i);
            writers.add(() -> node.patch(calendar.path("/events/" + id), body));
        }
        List<HttpProbe.Answer> answers = atOnce(writers);
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 412)
                .hasSize(7)
                .allSatisfy(answer -> assertThat(answer.at("current_revision")).isEqualTo(revision));
    }

    @Test
    void ofEightWritersWithOneTagOneWins() throws Exception {
        CalendarProbe calendar = new CalendarProbe(world);
        oneWins(calendar, calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00"), "\"rv-0\"", 1);
        String series = calendar.series("2099-01-01T10:00:00", "FREQ=DAILY");
        oneWins(calendar, series, "\"rv-0\"", 1);
        oneWins(calendar, series + "_t20990103T100000", "\"occ-1-0\"", 1);
        assertThat(calendar.types()).containsExactly("created", "updated", "created", "updated", "created");
    }

    @Test
    void withoutATagEachIsOneRevisionAndOneEvent() throws Exception {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        List<Callable<HttpProbe.Answer>> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            HttpProbe node = node(i);
            String body = json("title", "Writer " + i);
            writers.add(() -> node.patch(calendar.path("/events/" + id), body).is(200));
        }
        List<HttpProbe.Answer> answers = atOnce(writers);
        assertThat(answers.stream().map(answer -> answer.at("event.resource_revision")))
                .containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(answers.stream().map(answer -> answer.text("operation_id"))).doesNotHaveDuplicates();
        assertThat(calendar.types()).hasSize(9);
    }

    @Test
    void sixRequestsWithOneClientIdMakeOneEvent() throws Exception {
        CalendarProbe calendar = new CalendarProbe(world);
        String body = """
                {"title":"A","start":"2099-01-01T10:00:00",\
                "end":"2099-01-01T11:00:00","client_id":"six"}""";
        List<Callable<HttpProbe.Answer>> requests = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            HttpProbe node = node(i);
            requests.add(() -> node.post(calendar.path("/events"), body));
        }
        List<HttpProbe.Answer> answers = atOnce(requests);
        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(5);
        assertThat(answers.stream().map(answer -> answer.text("operation_id")).distinct())
                .hasSize(1);
        assertThat(calendar.get("").at("event_count")).isEqualTo(1L);
        assertThat(calendar.types()).containsExactly("created");
        world.restart();
        assertThat(world.http().post(calendar.path("/events"), body).is(200).at("operation_id"))
                .isEqualTo(answers.getFirst().at("operation_id"));
    }

    @Test
    void ofManyDeletionsOneDeletes() throws Exception {
        CalendarProbe calendar = new CalendarProbe(world);
        String id = calendar.single("2099-01-01T10:00:00", "2099-01-01T11:00:00");
        List<Callable<HttpProbe.Answer>> requests = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            HttpProbe node = node(i).with("Idempotency-Key", "delete-" + id);
            requests.add(() -> node.delete(calendar.path("/events/" + id)).is(202));
        }
        assertThat(atOnce(requests).stream()
                        .map(answer -> answer.text("deletion_id"))
                        .distinct())
                .hasSize(1);
        assertThat(calendar.types()).containsExactly("created", "deleted");
    }
}
