package dev.inboxd.mcp;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The tools for mail that waits until somebody approves it. */
class McpApprovalHttpTest {
    private static final String RESULT = "result.structuredContent.";

    @RegisterExtension
    private static final World world = World.start();

    private static String key(String body) {
        return world.as(world.session()).post("/v0/api-keys", body).is(200).text("api_key");
    }

    private static String sent(McpProbe author, String inbox) {
        Answer sent =
                author.call("send_message", json("inboxId", inbox, "to", List.of("jo@shop.test"), "text", "hello"));
        assertThat(sent.at(RESULT + "status")).as(sent::text).isEqualTo("awaiting_approval");
        return sent.text(RESULT + "draftId");
    }

    @Test
    void whatWaitsIsListedApprovedAndRejected() {
        String inbox = world.inbox("waiting");
        McpProbe author = McpProbe.of(world.as(key(json("name", "author", "send_approval", "required"))));
        McpProbe approver = McpProbe.of(world.as(key("""
                {"name":"approver","permissions":{"draft_approve":true,"draft_read":true}}""")));
        String first = sent(author, inbox);
        String second = sent(author, inbox);
        Answer listed = approver.call("list_approvals", "{}").is(200);
        assertThat(listed.at(RESULT + "count")).as(listed::text).isEqualTo(2L);
        String decision = """
                {"inboxId":"%s","draftId":"%%s","updatedAt":"%%s"%%s}""".formatted(inbox);
        String stale = decision.formatted(first, "2026-01-02T03:04:05.000Z", "");
        assertThat(approver.call("approve_draft", stale).at("result.isError")).isEqualTo(true);
        Answer approved =
                approver.call("approve_draft", decision.formatted(first, changed(approver, inbox, first), ""));
        assertThat(approved.text(RESULT + "messageId")).startsWith("<");
        Answer rejected = approver.call(
                "reject_draft",
                decision.formatted(second, changed(approver, inbox, second), "," + members("note", "too short")));
        assertThat(rejected.text(RESULT + "draft.approval.status")).isEqualTo("rejected");
        assertThat(approver.call("list_approvals", "{}").at(RESULT + "count")).isEqualTo(0L);
        assertThat(author.call("approve_draft", stale).at("result.isError")).isEqualTo(true);
    }

    private static String changed(McpProbe reader, String inbox, String draft) {
        return reader.call("get_draft", json("inboxId", inbox, "draftId", draft))
                .text(RESULT + "draft.updatedAt");
    }

    @Test
    void whoeverMayNotApproveIsNotShownHow() {
        List<?> tools = McpProbe.of(world.http())
                .request("tools/list", new dev.inboxd.base.json.JsonObject())
                .list("result.tools");
        assertThat(Objects.toString(tools)).contains("list_approvals").doesNotContain("approve_draft", "reject_draft");
    }
}
