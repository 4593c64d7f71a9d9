package dev.inboxd.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Permission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a wrong path or method is answered with, and what of a path the log has. */
class UnknownRouteTest {
    private static final RouteTable ROUTES = routes();

    private static RouteTable routes() {
        RouteTable routes = new RouteTable();
        Routes organization = routes.at(Level.ORGANIZATION);
        organization.get(Permission.INBOX_READ, "/inboxes", _ -> Response.ok());
        organization.post(Permission.INBOX_CREATE, "/inboxes", _ -> Response.ok());
        organization.get(Permission.API_KEY_READ, "/api-keys/{api_key_id}", _ -> Response.ok());
        routes.at(Level.INBOX).get(Permission.MESSAGE_READ, "/messages/{message_id}", _ -> Response.ok());
        routes.at(Level.ROOT).page("/download/{token}", _ -> Response.ok());
        routes.at(Level.ROOT).page("/", _ -> Response.ok());
        return routes;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PUT  | /v0/inboxes                  | This path has GET, HEAD, POST, not PUT.",
                "GET  | /v0/inboxes/                 | The slash at the end of the path is too much.",
                "GET  | /v0/inboxes//                | The slash at the end of the path is too much.",
                "GET  | /inboxes                     | Paths begin with /v0.",
                "GET  | /v1/inboxes                  | Paths begin with /v0.",
                "GET  | /api/v0/inboxes              | Paths begin with /v0.",
                "GET  | /api/inboxes/a@b/messages/x  | Paths begin with /v0.",
                "GET  | /v0/inboxes//messages/x      | The path has an empty part; an id may be missing there.",
                "GET  | /v0/inbox                    | Did you mean /v0/inboxes?",
                "GET  | /v0/api_keys/x               | Did you mean /v0/api-keys/{id}?",
                "GET  | /v0/inboxes/a@b/message/x    | Did you mean /v0/inboxes/{id}/messages/{id}?",
                "POST | /                            | This path has GET, HEAD, not POST.",
                "POST | /download/x                  | This path has GET, HEAD, not POST."
            })
    void theFixSaysWhatIsWrong(String method, String path, String fix) {
        assertThat(new UnknownRoute(ROUTES).fix(method, path)).isEqualTo(fix);
    }

    @ParameterizedTest
    @CsvSource({"//", "/elsewhere", "/v0/elsewhere/x", "*", "/v0/inboxes/a@b/messages/x/y/z"})
    void anythingElseIsLeftToTheDocumentation(String path) {
        assertThat(new UnknownRoute(ROUTES).fix("GET", path)).endsWith("Paths of the API begin with /v0.");
    }

    @Test
    void theLogHasThePathWithoutItsSecrets() {
        String token = "Zm9yIHlvdXIgZXllcyBvbmx5Zm9yIHlvdXIgZXllcyBvbmx5";
        Route message = ROUTES.routes().get(3);
        Route download = ROUTES.routes().get(4);
        assertThat(message.access()).isNotEqualTo(Gate.PUBLIC);
        String read = "/v0/inboxes/jo%40x.test/messages/%3C0123456789012345678901234567890123@host%3E";
        assertThat(AccessLog.path(read, message)).isEqualTo(read);
        assertThat(AccessLog.path("/download/" + token, download)).isEqualTo("/download/…");
        assertThat(AccessLog.path("/v0/inboxes/inb_abc/messages/x", message)).isEqualTo("/v0/inboxes/…/messages/x");
        assertThat(AccessLog.path("/downloads/" + token + "/", null)).isEqualTo("/downloads/…/");
        assertThat(AccessLog.path("/inboxes/jo@x.test/messages", null)).isEqualTo("/inboxes/jo@x.test/messages");
        assertThat(AccessLog.path("/v1/pods/01a2181b-25be-7690-870b-052394bd8e50", null))
                .isEqualTo("/v1/pods/01a2181b-25be-7690-870b-052394bd8e50");
        assertThat(AccessLog.path("/x@".repeat(4_000), null)).hasSizeLessThan(500);
    }
}
