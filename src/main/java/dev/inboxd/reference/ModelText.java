package dev.inboxd.reference;

import dev.inboxd.platform.json.JsonTree;
import java.util.List;
import java.util.stream.Collectors;

/** What a language model reads of this server, as Markdown: a list of what there is, and all of it. */
final class ModelText {
    private ModelText() {}

    /** A list of what there is to read, by task. */
    static String index(String url) {
        StringBuilder text = new StringBuilder("# inboxd\n\n> An email inbox service for software agents. Programs call "
                + url + "/v0 with an API key in the header Authorization: Bearer.\n\n");
        text.append("## Guides\n\n");
        for (Guide guide : Guide.all()) {
            text.append("- [").append(guide.title()).append("](").append(url).append("/docs/guides/")
                    .append(guide.name()).append("): ").append(guide.summary()).append('\n');
        }
        return text.append("\n## Reference\n\n")
                .append("- [OpenAPI 3.1](" + url + "/openapi.json): every call with its members, limits and errors\n")
                .append("- [AsyncAPI 3](" + url + "/asyncapi.json): the frames of the WebSocket\n")
                .append("- [Errors](" + url + "/docs/errors): what each code means and what to do\n")
                .append("- [All of it as text](" + url + "/llms-full.txt)\n")
                .toString();
    }

    /** The guides, and each call in a few lines. */
    static String whole(String url) {
        StringBuilder text = new StringBuilder(index(url));
        for (Guide guide : Guide.all()) {
            text.append('\n').append(guide.text());
        }
        JsonTree api = new ApiOutline(ApiDescription.openApi()).tree();
        text.append("\n# Conventions\n\n");
        api.texts("about").forEach(paragraph -> text.append(paragraph).append("\n\n"));
        for (JsonTree topic : api.list("topics")) {
            text.append("# ").append(topic.text("name")).append("\n\n").append(topic.text("text")).append("\n\n");
            topic.list("calls").forEach(call -> append(text, call));
        }
        text.append("# Objects\n\nA star marks what is always there.\n\n");
        api.list("schemas").forEach(schema -> append(text, schema, schema.list("members")));
        return text.toString();
    }

    private static void append(StringBuilder text, JsonTree call) {
        text.append("## ").append(call.text("method")).append(' ').append(call.text("path")).append("\n\n");
        text.append(call.text("summary")).append(". ").append(call.text("text")).append('\n');
        text.append("Id: ").append(call.text("id")).append(". Permission: ").append(call.text("permission"));
        for (JsonTree also : call.list("also")) {
            text.append(". Also ").append(also.text("path")).append(" (").append(also.text("id")).append(')');
        }
        text.append(".\n");
        for (JsonTree parameter : call.list("parameters")) {
            text.append("- ").append(parameter.text("in")).append(' ').append(parameter.text("name")).append(": ")
                    .append(parameter.text("text")).append('\n');
        }
        if (call.has("body")) {
            text.append("- body: ").append(call.text("body")).append('\n');
        }
        for (JsonTree answer : call.list("answers")) {
            if (answer.text("status").charAt(0) < '4') {
                text.append("- ").append(answer.text("status")).append(": ").append(answer.text("text")).append(' ')
                        .append(answer.text("schema")).append('\n');
            }
        }
        List<String> codes = call.texts("codes");
        text.append(codes.isEmpty() ? "" : "- errors: " + String.join(", ", codes) + "\n").append('\n');
    }

    private static void append(StringBuilder text, JsonTree schema, List<JsonTree> members) {
        text.append("## ").append(schema.text("name")).append("\n\n").append(schema.text("text")).append('\n');
        text.append(members.isEmpty() ? "Type: " + schema.text("type") + ".\n" : "");
        text.append(members.stream()
                .map(member -> "- " + member.text("name") + (member.is("required") ? "*" : "") + " ("
                        + member.text("type") + "): " + member.text("text") + "\n")
                .collect(Collectors.joining()));
        text.append('\n');
    }
}
