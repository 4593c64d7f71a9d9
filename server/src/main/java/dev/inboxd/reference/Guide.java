package dev.inboxd.reference;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A guide: one screen about one task.
 *
 * @param name of its file, without the ending
 * @param text its Markdown: a heading, a paragraph that says what it is for, and the rest
 */
record Guide(String name, String text) {
    private static final List<String> NAMES = List.of(
            "without-a-client",
            "point-a-client",
            "receive-by-webhook",
            "wait-for-a-reply",
            "read-a-mail",
            "get-a-code",
            "draft-and-approve",
            "own-domain",
            "several-agents",
            "mcp",
            "sign-in-to-an-app",
            "verify-a-signature",
            "test-an-agent");

    /** Every guide, in the order in which somebody meets the tasks. */
    static List<Guide> all() {
        return Guides.ALL;
    }

    private static final class Guides {
        static final List<Guide> ALL = NAMES.stream()
                .map(name -> new Guide(name, ApiDescription.text("guides/" + name + ".md")))
                .toList();
    }

    /** Its heading. */
    String title() {
        return text.lines().findFirst().orElse(name).replaceFirst("^# ", "");
    }

    /** What it is for, in a sentence. */
    String summary() {
        return text.lines()
                .skip(1)
                .dropWhile(String::isBlank)
                .takeWhile(line -> !line.isBlank())
                .reduce((first, second) -> first + " " + second)
                .orElse("");
    }

    /** Its parts: headings, paragraphs, items and code, each with its text without the marks of Markdown. */
    JsonTree blocks() {
        List<Map<String, String>> blocks = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        String kind = "p";
        for (String line : text().lines().toList()) {
            boolean isFence = line.startsWith("```");
            if (kind.equals("code") && !isFence) {
                text.append(line).append('\n');
                continue;
            }
            boolean isItem = line.startsWith("- ");
            if (isFence || isItem || line.isBlank() || line.startsWith("#")) {
                end(blocks, kind, text);
                kind = isFence && !kind.equals("code") ? "code" : isItem ? "item" : "p";
            }
            if (line.startsWith("#")) {
                end(blocks, line.startsWith("##") ? "h2" : "h1", text.append(line.replaceFirst("^#+ ", "")));
            } else if (!isFence && !line.isBlank()) {
                text.append(text.isEmpty() ? "" : " ").append(isItem ? line.substring(2) : line.strip());
            }
        }
        end(blocks, kind, text);
        return JsonTree.of(Json.write(blocks));
    }

    private static void end(List<Map<String, String>> blocks, String kind, StringBuilder text) {
        if (!text.isEmpty()) {
            String words = text.toString();
            blocks.add(Map.of(
                    "kind",
                    kind,
                    "text",
                    kind.equals("code") ? words : words.replace("`", "").replace("**", "")));
            text.setLength(0);
        }
    }
}
