package dev.inboxd.console.view;

import dev.inboxd.base.json.JsonTree;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names of what the audit log has by its id: keys, webhooks, domains and pods. */
public final class TargetNames {
    /** The lists of the API that have names. */
    public static final List<String> KINDS = List.of("api-keys", "webhooks", "domains", "pods");

    /** Of actions: what stands before the dot, and the list that has such targets. */
    private static final Map<String, String> LISTS = Map.of(
            "api_key",
            "api-keys",
            "sign_in_key",
            "api-keys",
            "webhook",
            "webhooks",
            "domain",
            "domains",
            "pod",
            "pods");

    private final Map<String, String> names = new HashMap<>();
    private final Set<String> completeKinds = new HashSet<>();
    private final Set<String> keys = new HashSet<>();

    /** Adds a list of the API; an empty one says nothing. */
    public void add(String kind, JsonTree list) {
        if (list.isEmpty()) {
            return;
        }
        for (JsonTree item : list.list(kind.replace('-', '_'))) {
            switch (kind) {
                case "api-keys" -> {
                    names.put(item.text("api_key_id"), item.text("name"));
                    keys.add(item.text("name"));
                }
                case "webhooks" -> names.put(item.text("webhook_id"), host(item.text("url")));
                case "domains" -> names.put(item.text("domain_id"), item.text("domain"));
                default -> names.put(item.text("pod_id"), item.text("name"));
            }
        }
        if (!list.has("next_page_token")) {
            completeKinds.add(kind);
        }
    }

    private static String host(String url) {
        try {
            String host = URI.create(url).getHost();
            return host == null ? "a polling consumer" : host;
        } catch (IllegalArgumentException unreadable) {
            return url;
        }
    }

    /** The names of keys. */
    public List<String> keys() {
        return keys.stream().sorted().toList();
    }

    /** What an entry of the log is about, in words: its name, or its id where nobody knows one. */
    public String of(JsonTree entry) {
        String target = entry.text("target");
        String list = LISTS.getOrDefault(kind(entry), "");
        String name = names.getOrDefault(target, "");
        if (name.isEmpty() && completeKinds.contains(list) && !target.isEmpty() && !names.containsKey(target)) {
            return target + " (deleted)";
        }
        return name.isEmpty() ? target : name;
    }

    /** The page of what an entry is about; no segments where there is none. */
    public List<String> link(JsonTree entry) {
        String target = entry.text("target");
        if (!names.containsKey(target)) {
            return kind(entry).equals("inbox") && !entry.text("action").endsWith("deleted")
                    ? List.of("inboxes", target)
                    : List.of();
        }
        return switch (LISTS.getOrDefault(kind(entry), "")) {
            case "api-keys" -> List.of("keys", target);
            case "webhooks" -> List.of("webhooks", target);
            case "domains" -> List.of("domains");
            default -> List.of();
        };
    }

    private static String kind(JsonTree entry) {
        String action = entry.text("action");
        return action.substring(0, Math.max(0, action.indexOf('.')));
    }

    /** Who did it, in words. */
    public String who(JsonTree entry) {
        JsonTree actor = entry.get("actor");
        if (actor.text("type").equals("operator")) {
            return "the operator";
        }
        if (actor.has("payer")) {
            return actor.text("payer");
        }
        String id = actor.text(actor.has("api_key_id") ? "api_key_id" : "session_id");
        String name = actor.has("name") ? actor.text("name") : id;
        boolean isDeleted = actor.has("api_key_id") && completeKinds.contains("api-keys") && !names.containsKey(id);
        return isDeleted ? name + " (deleted)" : name;
    }

    /** What was done, in words: {@code API key created}. */
    public String what(JsonTree entry) {
        String words = entry.text("action").replace('_', ' ').replace('.', ' ');
        String first = words.startsWith("api ") ? "API " + words.substring(4) : words;
        return first.isEmpty() ? first : Character.toUpperCase(first.charAt(0)) + first.substring(1);
    }
}
