package dev.inboxd.tenant.inbox;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The routes below a pod: they show and change what is in the pod, and nothing beside it. */
class PodHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aPodHasItsOwnInboxes() {
        String pod = "/v0/pods/" + world.pod("sales") + "/inboxes";
        String outside = world.inbox("outside");
        String inside =
                world.http().post(pod, json("username", "inside")).is(200).text("inbox_id");
        assertThat(ids(world.http().get(pod).is(200), "inboxes", "inbox_id")).containsExactly(inside);
        assertThat(ids(world.http().get("/v0/inboxes").is(200), "inboxes", "inbox_id"))
                .contains(inside, outside);
        assertThat(world.http().get(pod + "/" + inside).is(200).text())
                .isEqualTo(world.http().get("/v0/inboxes/" + inside).is(200).text());
        assertThat(world.http()
                        .patch(pod + "/" + inside, json("display_name", "Ada"))
                        .is(200)
                        .text("display_name"))
                .isEqualTo("Ada");
        for (HttpProbe.Answer answer : List.of(
                world.http().get(pod + "/" + outside),
                world.http().patch(pod + "/" + outside, json("display_name", "No")),
                world.http().delete(pod + "/" + outside))) {
            assertThat(answer.is(404).text("message")).isEqualTo("Inbox not found");
        }
        world.http().delete(pod + "/" + inside).is(200);
        world.http().get("/v0/inboxes/" + inside).is(404);
        world.http().get("/v0/inboxes/" + outside).is(200);
    }

    @Test
    void aClientIdOfAnotherPodIsAConflictThatTellsNothing() {
        String first = "/v0/pods/" + world.pod("first") + "/inboxes";
        String second = "/v0/pods/" + world.pod("second") + "/inboxes";
        String made =
                world.http().post(first, json("client_id", "shared")).is(200).text("inbox_id");
        assertThat(world.http().post(first, json("client_id", "shared")).is(200).text("inbox_id"))
                .isEqualTo(made);
        assertThat(world.http().get(first + "/shared").is(200).text("inbox_id")).isEqualTo(made);
        HttpProbe.Answer conflict =
                world.http().post(second, json("client_id", "shared")).is(409);
        assertThat(conflict.text("code")).isEqualTo("idempotency_conflict");
        assertThat(conflict.text()).doesNotContain(made);
        world.http().get(second + "/shared").is(404);
    }

    @Test
    void threadsOfAPodAreThoseOfItsInboxes() {
        String pod = "/v0/pods/" + world.pod("support");
        String inside = world.http()
                .post(pod + "/inboxes", json("username", "threads-in"))
                .is(200)
                .text("inbox_id");
        String outside = world.inbox("threads-out");
        for (String inbox : List.of(inside, outside)) {
            world.mail("jo@example.com", inbox, "From: jo@example.com\nMessage-ID: <p@x.test>\n\nHello.\n");
        }
        HttpProbe.Answer list =
                world.http().get(pod + "/threads?include_unauthenticated=true").is(200);
        assertThat(ids(list, "threads", "inbox_id")).containsExactly(inside);
        String id = list.text("threads.0.thread_id");
        assertThat(world.http().get(pod + "/threads/" + id).is(200).text())
                .isEqualTo(world.http().get("/v0/threads/" + id).is(200).text());
        String other = world.http()
                .get("/v0/inboxes/" + outside + "/threads?include_unauthenticated=true")
                .is(200)
                .text("threads.0.thread_id");
        assertThat(world.http().get(pod + "/threads/" + other).is(404).text("message"))
                .isEqualTo("Thread not found");
    }

    @Test
    void aPodThatNobodyHasIsNotFound() {
        for (String id : List.of("01890000-0000-7000-8000-000000000000", "pod", "%20")) {
            for (String path : List.of("/inboxes", "/threads")) {
                assertThat(world.http().get("/v0/pods/" + id + path).is(404).text("message"))
                        .isEqualTo("Pod not found");
            }
        }
    }

    private static List<String> ids(HttpProbe.Answer answer, String list, String member) {
        return answer.list(list).stream()
                .map(item -> String.valueOf(((Map<?, ?>) item).get(member)))
                .toList();
    }
}
