package dev.inboxd.console;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.mail.InboxPages;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.KeyPreset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** API keys, and what they asked for. */
final class KeyPages {
    private static final String KEYS = "api-keys";
    private static final String KEY = "api_key_id";

    void mount(ConsolePages pages) {
        pages.page("/keys", visit -> list(visit, JsonTree.EMPTY))
                .form("/keys", Role.OWN, KeyPages::act)
                .page("/keys/{api_key_id}", KeyPages::key);
    }

    private static Response list(Visit visit, JsonTree createdKey) {
        JsonTree keys = visit.read(InboxPages.paged(visit, LocalCall.get(KEYS).with("limit", "30")));
        return visit.page(
                        "keys",
                        "keys/Keys",
                        Map.of(
                                "keys",
                                keys,
                                "pods",
                                visit.readIfAllowed(LocalCall.get("pods").with("limit", "50"))
                                        .list("pods"),
                                "made",
                                createdKey))
                .header("Cache-Control", "no-store");
    }

    /** What the key of a form may do; empty for everything that is not given by name alone. */
    private static List<String> flags(PageForm form) {
        String preset = form.text("preset");
        if (preset.equals("all")) {
            return List.of();
        }
        List<String> flags = preset.equals("custom")
                ? form.all("flag")
                : Stream.of(KeyPreset.values())
                        .filter(candidate -> candidate.word().equals(preset))
                        .findFirst()
                        .map(KeyPreset::flags)
                        .orElseThrow(() -> Problem.invalid("preset", "Choose permissions for the key"));
        if (flags.isEmpty()) {
            throw Problem.invalid("flag", "Choose permissions for the key");
        }
        return flags;
    }

    /** Makes the key that a form describes. */
    private static JsonTree make(Visit visit, PageForm form) {
        JsonObject body = JsonObject.of("name", form.text("name"));
        List<String> flags = flags(form);
        if (!flags.isEmpty()) {
            JsonObject permissions = new JsonObject();
            flags.forEach(flag -> permissions.with(flag, true));
            body.with("permissions", permissions);
        }
        if (!form.text("days").isEmpty()) {
            body.with("expires_at", visit.now().plus(Duration.ofDays(days(form.text("days")))));
        }
        String inbox = form.text("inbox_id");
        String pod = form.text("pod_id");
        if (!inbox.isEmpty() && !pod.isEmpty()) {
            throw Problem.invalid("pod_id", "Choose an inbox or a pod, not both");
        }
        if (!inbox.isEmpty()) {
            return visit.change(LocalCall.post(body, "inboxes", inbox, KEYS));
        }
        return visit.change(pod.isEmpty() ? LocalCall.post(body, KEYS) : LocalCall.post(body, "pods", pod, KEYS));
    }

    private static int days(String text) {
        try {
            return Math.clamp(Integer.parseInt(text), 1, 3_650);
        } catch (NumberFormatException malformed) {
            throw Problem.invalid("days", "Choose when the key expires");
        }
    }

    /** What a key asked for, in the last three days. */
    private static Response key(Visit visit) {
        String id = visit.path(KEY);
        return visit.page(
                "key",
                "keys/Key",
                Map.of(
                        "key", visit.read(LocalCall.get(KEYS, id)),
                        "requests",
                                visit.readIfAllowed(InboxPages.paged(
                                        visit,
                                        LocalCall.get(KEYS, id, "requests").with("limit", "50")))));
    }

    private static Response act(Visit visit) {
        PageForm form = visit.form();
        return switch (form.text("do")) {
            case "create" -> {
                // The key is in this answer alone; a reload of the page would make another, so the browser asks first.
                yield list(visit, make(visit, form));
            }
            case "revoke" -> {
                visit.change(LocalCall.delete(KEYS, form.text(KEY)));
                yield visit.to("deleted", "keys");
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        };
    }
}
