package dev.inboxd.mcp;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.mailbox.claim.ClaimFixture;
import dev.inboxd.server.World;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which tools a credential is shown, by what its client's address asks for, and what their errors say. */
class ToolsetsHttpTest {
    private static final String RESULT = "result.structuredContent.";

    @RegisterExtension
    private static final World world = World.start();

    private static McpProbe ofInbox(String inbox) {
        return McpProbe.of(world.as(world.inboxKey(inbox)));
    }

    private static List<JsonTree> tools(McpProbe client) {
        return JsonTree.of(client.request("tools/list", new JsonObject())
                        .is(200)
                        .text()
                        .getBytes(StandardCharsets.UTF_8))
                .get("result")
                .list("tools");
    }

    private static List<String> names(McpProbe client) {
        return tools(client).stream().map(tool -> tool.text("name")).toList();
    }

    private static JsonTree error(Answer answer) {
        assertThat(answer.at("result.isError")).as(answer::text).isEqualTo(true);
        return JsonTree.of(answer.text("result.content.0.text").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theKeyOfAnInboxIsShownMailDraftsAndWaits() {
        assertThat(names(ofInbox(world.inbox("usual"))))
                .hasSizeLessThanOrEqualTo(22)
                .contains("get_inbox", "auth_me", "list_messages", "wait_for_message", "send_message", "create_draft")
                .doesNotContain("get_agenda", "list_apps", "list_inboxes", "list_list_entries", "list_approvals");
    }

    @Test
    void theKeyOfAnOrganizationIsShownAllThatItMayUse() {
        assertThat(names(McpProbe.of(world.http())))
                .contains("list_inboxes", "search_inboxes", "create_inbox", "list_list_entries", "create_list_entry")
                .contains("get_agenda", "list_apps", "send_draft", "list_approvals")
                .hasSizeGreaterThan(40);
    }

    @Test
    void theAddressChoosesToolsets() {
        McpProbe all = McpProbe.of(world.http());
        assertThat(names(all.query("toolsets=calendar")))
                .contains("get_agenda", "respond_to_event")
                .doesNotContain("list_messages");
        assertThat(names(all.query("toolsets=mail,drafts")))
                .contains("list_messages", "list_inboxes", "search_inboxes", "create_draft")
                .doesNotContain("get_agenda", "delete_inbox");
        McpProbe bound = ofInbox(world.inbox("sets"));
        assertThat(names(bound.query("toolsets=apps&toolsets=calendar")))
                .contains("list_apps", "get_agenda")
                .doesNotContain("list_messages");
        assertThat(names(bound.query("toolsets=admin")))
                .contains("list_inboxes", "list_list_entries")
                .doesNotContain("create_inbox", "list_messages");
        assertThat(names(bound.query("toolsets="))).contains("list_messages").doesNotContain("get_agenda");
    }

    @Test
    void aToolThatIsNotShownIsStillCalled() {
        String inbox = world.inbox("hidden");
        Answer agenda = ofInbox(inbox).call("get_agenda", "{}").is(200);
        assertThat(agenda.at(RESULT + "count")).as(agenda::text).isEqualTo(0L);
    }

    @Test
    void aWordThatIsNoToolsetIsAnErrorThatNamesThem() {
        for (String word : List.of("leases", "everything", "Mail")) {
            Answer refused = McpProbe.of(world.http())
                    .query("toolsets=mail," + word)
                    .request("tools/list", new JsonObject())
                    .is(400);
            assertThat(refused.at("error.code")).isEqualTo(-32_602L);
            assertThat(refused.text("error.message")).contains(word, "mail, drafts, calendar, apps, admin, claims");
        }
    }

    @Test
    void claimsAreListedOnlyWhereTheyAreNamedAndBindTheToolsThatAnswer() {
        McpProbe all = McpProbe.of(world.http());
        assertThat(names(all)).contains("reply_to_message").doesNotContain("claim_message");
        assertThat(names(all.query("toolsets=claims")))
                .containsExactly("claim_message", "renew_claim", "hand_over_claim", "release_claim");
        String inbox = world.inbox("claims");
        new ClaimFixture(world, inbox).mail("tools", "");
        String message = members("inboxId", inbox, "messageId", "<tools@x.test>");
        String claim = all.call("claim_message", "{" + message + "," + members("worker", "w1") + "}")
                .is(200)
                .text(RESULT + "claimId");
        String renewed = "{" + message + "," + members("claimId", claim) + "}";
        assertThat(all.call("renew_claim", renewed).is(200).at(RESULT + "claimId"))
                .isEqualTo(claim);
        String answer = message + "," + members("text", "80");
        assertThat(error(all.call("reply_to_message", "{" + answer + "}")).text("code"))
                .isEqualTo("conflict");
        assertThat(all.call("reply_to_message", "{" + answer + "," + members("claimId", claim) + "}")
                        .is(200)
                        .text(RESULT + "messageId"))
                .startsWith("<");
        assertThat(error(all.call("reply_to_message", "{" + answer + "," + members("ifUnanswered", true) + "}"))
                        .text("code"))
                .isEqualTo("conflict");
        assertThat(all.call("release_claim", renewed).is(200).at(RESULT + "success"))
                .isEqualTo(true);
    }

    @Test
    void theKeyOfAnInboxNeedNotNameIt() {
        String inbox = world.inbox("own");
        McpProbe bound = ofInbox(inbox);
        for (JsonTree tool : tools(bound.query("toolsets=mail,drafts,calendar,apps,admin"))) {
            assertThat(tool.get("inputSchema").texts("required"))
                    .as(tool.text("name"))
                    .doesNotContain("inboxId");
        }
        assertThat(bound.call("get_inbox", "{}").is(200).at(RESULT + "inboxId")).isEqualTo(inbox);
        assertThat(bound.call("send_message", json("to", List.of("jo@example.com"), "text", "T"))
                        .is(200)
                        .text(RESULT + "messageId"))
                .startsWith("<");
        assertThat(bound.call("list_messages", "{}").is(200).at(RESULT + "count"))
                .isEqualTo(1L);
        String other = world.inbox("foreign");
        assertThat(error(bound.call("get_inbox", json("inboxId", other))).text("code"))
                .isEqualTo("not_found");
        assertThat(error(McpProbe.of(world.http()).call("get_inbox", "{}")).text("code"))
                .isEqualTo("validation_error");
    }

    @Test
    void theAddressMayNameAnInboxForABroaderKey() {
        String inbox = world.inbox("chosen");
        McpProbe client = McpProbe.of(world.http()).query("inbox_id=" + inbox);
        assertThat(names(client)).contains("list_messages").doesNotContain("create_inbox", "list_inboxes");
        assertThat(client.call("get_inbox", "{}").is(200).at(RESULT + "inboxId"))
                .isEqualTo(inbox);
        assertThat(error(McpProbe.of(world.as(world.inboxKey(inbox)))
                                .query("inbox_id=" + world.inbox("foreign2"))
                                .call("get_inbox", "{}"))
                        .text("code"))
                .isEqualTo("not_found");
    }

    @Test
    void schemasOfResultsAreListedOnlyWhenTheyAreAskedFor() {
        McpProbe client = McpProbe.of(world.http());
        assertThat(tools(client)).noneMatch(tool -> tool.has("outputSchema"));
        assertThat(tools(client.query("output_schemas=false"))).noneMatch(tool -> tool.has("outputSchema"));
        assertThat(tools(client.query("output_schemas=true"))).allMatch(tool -> tool.has("outputSchema"));
        client.query("output_schemas=maybe")
                .request("tools/list", new JsonObject())
                .is(400);
    }

    @Test
    void whatSendsSaysThatAwaitingApprovalIsStored() {
        assertThat(tools(McpProbe.of(world.http())))
                .filteredOn(tool -> tool.text("name").matches("(send|reply|forward)_.*"))
                .hasSize(4)
                .allMatch(tool -> tool.text("description").contains("awaiting_approval means that the mail is stored")
                        && tool.text("description").contains("do not send it again"));
    }

    @Test
    void anErrorSaysWhetherTheSameCallMaySucceedLater() {
        McpProbe client = McpProbe.of(world.http());
        assertThat(error(client.call("get_inbox", json("inboxId", "nobody@nowhere.example")))
                        .get("retryable")
                        .value())
                .isEqualTo(false);
        assertThat(client.call("no_such_tool", "{}").at("error.data.retryable")).isEqualTo(false);
        try (World strict = World.start(Map.of("INBOXD_LIMITS", "sends_per_day=1"))) {
            McpProbe sender = McpProbe.of(strict.http());
            String mail = json("inboxId", strict.inbox("s"), "to", List.of("jo@example.com"), "text", "T");
            sender.call("send_message", mail);
            JsonTree refused = error(sender.call("send_message", mail.replace("\"T\"", "\"U\"")));
            assertThat(refused.text("code")).isEqualTo("rate_limit_exceeded");
            assertThat(refused.get("retryable").value()).isEqualTo(true);
            assertThat((Long) refused.get("retryAfter").value()).isPositive();
        }
    }

    @Test
    void inboxesAreFoundByWords() {
        String inbox = world.inbox("zanzibar");
        Answer found = McpProbe.of(world.http()).call("search_inboxes", json("q", "zanz"));
        assertThat(found.at(RESULT + "inboxes.0.inboxId")).as(found::text).isEqualTo(inbox);
        assertThat(found.at(RESULT + "count")).isEqualTo(1L);
    }

    @Test
    void listsOfAddressesAreKeptForAnInboxAndForAll() {
        McpProbe client = McpProbe.of(world.http());
        String inbox = world.inbox("lists");
        String entry = json("direction", "receive", "type", "block", "entry", "spam.example", "reason", "noise");
        Answer made = client.call("create_list_entry", entry).is(200);
        assertThat(made.at(RESULT + "entryType")).as(made::text).isEqualTo("domain");
        McpProbe bound = ofInbox(inbox);
        Answer own =
                bound.call("create_list_entry", json("direction", "send", "type", "allow", "entry", "a@b.example"));
        assertThat(own.at(RESULT + "inboxId")).as(own::text).isEqualTo(inbox);
        assertThat(client.call("list_list_entries", json("inboxId", inbox, "direction", "send", "type", "allow"))
                        .at(RESULT + "entries.0.entry"))
                .isEqualTo("a@b.example");
        assertThat(client.call("list_list_entries", json("direction", "receive", "type", "block"))
                        .at(RESULT + "count"))
                .isEqualTo(1L);
        String named = json("direction", "receive", "type", "block", "entry", "spam.example");
        assertThat(client.call("get_list_entry", named).at(RESULT + "reason")).isEqualTo("noise");
        assertThat(client.call("delete_list_entry", named).at(RESULT + "success"))
                .isEqualTo(true);
        assertThat(error(client.call("get_list_entry", named)).text("code")).isEqualTo("not_found");
        assertThat(error(client.call("list_list_entries", json("direction", "up", "type", "block")))
                        .text("code"))
                .isEqualTo("not_found");
    }
}
