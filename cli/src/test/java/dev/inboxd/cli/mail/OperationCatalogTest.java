package dev.inboxd.cli.mail;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.reference.ApiDescription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands and the description: each call has one, and what it sends is what is described. */
class OperationCatalogTest {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final JsonTree API = JsonTree.of(Json.write(ApiDescription.openApi()));

    @Test
    void everyCallOfTheDescriptionHasACommand() {
        List<String> described = new ArrayList<>();
        API.get("paths")
                .members()
                .forEach((path, item) -> item.members().forEach((method, operation) -> {
                    if (METHODS.contains(method)) {
                        described.add(operation.text("operationId"));
                    }
                }));
        List<MailOperation> made = OperationCatalog.described();
        assertThat(made).extracting(MailOperation::id).containsExactlyElementsOf(described);
        Set<List<Object>> told = new HashSet<>();
        made.forEach(each -> assertThat(told.add(List.of(each.resource(), each.verb(), each.pathMembers())))
                .as(each.id())
                .isTrue());
    }

    @ParameterizedTest
    @CsvSource({
        "/v0/inboxes/{inbox_id}/messages/send, sendMessage, messages, send",
        "/v0/inboxes/{inbox_id}/messages/{message_id}/reply-all, replyToAll, messages, reply-all",
        "/v0/inboxes/{inbox_id}/messages/{message_id}/raw, getRawMessage, messages, get-raw",
        "/v0/threads/{thread_id}/attachments/{attachment_id}, getThreadAttachment, threads, get-attachment",
        "/v0/pods/{pod_id}/threads, listPodThreads, threads, list",
        "/v0/inboxes/{inbox_id}, getInbox, inboxes, get",
        "/v0/pods/{pod_id}/stop, stopPod, pods, stop",
        "/v0/inboxes/{inbox_id}/authorize, authorizeSignIn, inboxes, authorize",
        "/v0/webhooks/{webhook_id}/secret/rotate, rotateWebhookSecret, webhooks, rotate-secret",
        "/v0/webhooks/{webhook_id}/deliveries, listDeliveries, webhooks, list-deliveries",
        "/v0/inboxes/{inbox_id}/calendar/events, createCalendarEvent, calendar, create-event",
        "/v0/organizations/labs, joinLabs, organizations, join-labs",
        "/v0/audit-log, listAuditLog, audit-log, list",
        "/v0, openSocket, socket, open",
    })
    void aCommandIsNamedByItsPathAndItsVerb(String path, String id, String resource, String verb) {
        assertThat(CommandName.of(path, id)).isEqualTo(new CommandName(resource, verb));
    }

    @Test
    void theLinesOfTheBuildAreTheCommands() {
        List<MailOperation> all = OperationCatalog.described();
        List<MailOperation> read = OperationCatalog.read(OperationCatalog.lines(all).stream(), "");
        assertThat(read).isEqualTo(all);
        assertThat(OperationCatalog.of("messages"))
                .isEqualTo(all.stream()
                        .filter(each -> each.resource().equals("messages"))
                        .toList());
    }

    /** Every call, with a value for each of its flags, as curl would make it. */
    @Test
    void everyCallSendsWhatIsDescribed() {
        for (MailOperation call : OperationCatalog.described()) {
            List<String> line = new ArrayList<>(List.of(call.resource(), call.verb(), "--dry-run"));
            StringBuilder query = new StringBuilder();
            String path = call.path();
            for (MailFlag flag : call.flags()) {
                line.add(flag.name() + "=" + value(flag));
                path = path.replace("{" + flag.member() + "}", "a%2Fb%20c");
                if (flag.place() == MailFlag.Place.QUERY) {
                    query.append(query.isEmpty() ? "?" : "&")
                            .append(flag.member())
                            .append('=');
                    query.append(OperationCall.encoded(value(flag)));
                }
            }
            MailProbe probe = new MailProbe(Map.of("INBOXD_URL", "https://mail.test", "INBOXD_KEY", "secret-key"))
                    .run(line.toArray(String[]::new));
            assertThat(probe.status()).as(call.id() + probe.err()).isZero();
            String method = call.method().equals("GET") ? "" : " -X " + call.method();
            assertThat(probe.out())
                    .as(call.id())
                    .startsWith("curl" + method + " 'https://mail.test" + path + query + "'")
                    .doesNotContain("secret-key");
            assertThat(probe.out().contains("Bearer $INBOXD_KEY")).as(call.id()).isNotEqualTo(call.isOpen());
            assertThatBodyIsWhole(call, probe.out());
        }
    }

    private static void assertThatBodyIsWhole(MailOperation call, String curl) {
        int start = curl.indexOf("--data-raw '");
        assertThat(start >= 0).as(call.id()).isEqualTo(!call.media().isEmpty());
        if (call.media().equals("application/json")) {
            String body = curl.substring(start + "--data-raw '".length(), curl.lastIndexOf('\''));
            JsonTree json = JsonTree.of(body.getBytes(StandardCharsets.UTF_8));
            assertThat(json.members().keySet())
                    .as(call.id())
                    .containsExactlyElementsOf(call.flags().stream()
                            .filter(flag -> flag.place() == MailFlag.Place.BODY)
                            .map(MailFlag::member)
                            .toList());
        }
    }

    private static String value(MailFlag flag) {
        return switch (flag.kind()) {
            case TEXT -> "a/b c";
            case NUMBER -> "7";
            case BOOLEAN -> "true";
            case JSON -> json("a", 1);
        };
    }
}
