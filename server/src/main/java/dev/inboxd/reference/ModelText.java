package dev.inboxd.reference;

import dev.inboxd.base.json.JsonTree;
import java.util.List;
import java.util.stream.Collectors;

/** What a language model reads of this server, as Markdown: a list of what there is, and all of it. */
final class ModelText {
    private ModelText() {}

    /** A list of what there is to read, by task. */
    static String index(String url) {
        StringBuilder text =
                new StringBuilder("# inboxd\n\n> An email inbox service for software agents. Programs call " + url
                        + "/v0 with an API key in the header Authorization: Bearer.\n\n");
        text.append("## Guides\n\n");
        for (Guide guide : Guide.all()) {
            text.append("- [")
                    .append(guide.title())
                    .append("](")
                    .append(url)
                    .append("/docs/guides/")
                    .append(guide.name())
                    .append("): ")
                    .append(guide.summary())
                    .append('\n');
        }
        return text.append("\n## Reference\n\n")
                .append("- [OpenAPI 3.1](" + url + "/openapi.json): every call with its members, limits and errors\n")
                .append("- [The same without webhooks](" + url
                        + "/openapi.json?webhooks=false): for generators of clients that fail at the section\n")
                .append("- [AsyncAPI 3](" + url + "/asyncapi.json): the frames of the WebSocket\n")
                .append("- [Errors](" + url + "/docs/errors): what each code means and what to do\n")
                .append("- [All of it as text](" + url + "/llms-full.txt)\n")
                .toString();
    }

    /** The guides, and each call in a few lines. */
    static String fullText(String url) {
        StringBuilder text = new StringBuilder(index(url));
        for (Guide guide : Guide.all()) {
            text.append('\n').append(guide.text());
        }
        JsonTree api = new ApiOutline(ApiDescription.openApi()).tree();
        text.append("\n# Conventions\n\n");
        api.texts("about").forEach(paragraph -> text.append(paragraph).append("\n\n"));
        for (JsonTree topic : api.list("topics")) {
            text.append("# ")
                    .append(topic.text("name"))
                    .append("\n\n")
                    .append(topic.text("text"))
                    .append("\n\n");
            topic.list("calls").forEach(call -> append(text, call));
        }
        text.append("# Objects\n\nA star marks what is always there.\n\n");
        api.list("schemas").forEach(schema -> append(text, schema, schema.list("members")));
        return text.toString();
    }

    private static void append(StringBuilder text, JsonTree call) {
        text.append(filled("## % %\n\n%. %\n", call, "method", "path", "summary", "text"));
        text.append(filled("Id: %. Permission: %", call, "id", "permission"));
        call.list("also").forEach(also -> text.append(filled(". Also % (%)", also, "path", "id")));
        text.append(".\n");
        call.list("parameters")
                .forEach(parameter -> text.append(filled("- % %: %\n", parameter, "in", "name", "text")));
        if (call.has("body")) {
            text.append(filled("- body: %\n", call, "body"));
        }
        call.list("answers").stream()
                .filter(answer -> answer.text("status").charAt(0) < '4')
                .forEach(answer -> text.append(filled("- %: % %\n", answer, "status", "text", "schema")));
        List<String> codes = call.texts("codes");
        text.append(codes.isEmpty() ? "" : "- errors: " + String.join(", ", codes) + "\n")
                .append('\n');
    }

    /** A text in which each percent sign stands for a member. */
    private static String filled(String form, JsonTree of, String... members) {
        StringBuilder text = new StringBuilder();
        int member = 0;
        for (int i = 0; i < form.length(); i++) {
            char c = form.charAt(i);
            text.append(c == '%' ? of.text(members[member++]) : String.valueOf(c));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, JsonTree schema, List<JsonTree> members) {
        text.append("## ")
                .append(schema.text("name"))
                .append("\n\n")
                .append(schema.text("text"))
                .append('\n');
        text.append(members.isEmpty() ? "Type: " + schema.text("type") + ".\n" : "");
        text.append(members.stream()
                .map(member -> "- " + member.text("name") + (member.is("required") ? "*" : "") + " ("
                        + member.text("type") + "): " + member.text("text") + "\n")
                .collect(Collectors.joining()));
        text.append('\n');
    }
}
