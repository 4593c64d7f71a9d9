package dev.inboxd.console.mail;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What somebody picked in a list of conversations. Each of them is changed by itself and by the call that changes it
 * alone, so what the person may not see or change stays as it is; foreign ones and those that are gone look the same.
 */
final class PickedThreads {
    private static final int MOST = 100;
    private static final String THREADS = "threads";
    private static final Set<String> ACTS =
            Set.of("read-picked", "unread-picked", "label-picked", "unlabel-picked", "trash-picked");

    /** What is said about one conversation, and not about all. */
    private static final Set<ErrorCode> ALONE = Set.of(ErrorCode.NOT_FOUND, ErrorCode.UNPROCESSABLE);

    private final ThrownMail thrown;

    PickedThreads(ThrownMail thrown) {
        this.thrown = thrown;
    }

    /** Whether a form is about what was picked. */
    static boolean isMeant(PageForm form) {
        return ACTS.contains(form.text("do"));
    }

    /** Changes it, and leads back to the list as it was. */
    Response act(Visit visit) {
        PageForm form = visit.form();
        List<String> picked = form.all("pick").stream().distinct().toList();
        if (picked.isEmpty()) {
            throw Problem.invalid("pick", "Pick a conversation first");
        }
        if (picked.size() > MOST) {
            throw Problem.invalid("pick", "At most " + MOST + " conversations are changed together");
        }
        boolean isTrash = form.text("do").equals("trash-picked");
        JsonObject change = isTrash ? new JsonObject() : change(form);
        List<String> done = new ArrayList<>();
        for (String thread : picked) {
            try {
                if (isTrash) {
                    thrown.threads(visit, inbox(visit, thread), List.of(thread));
                } else {
                    visit.change(LocalCall.patch(change, THREADS, thread));
                }
                done.add(thread);
            } catch (Problem refused) {
                // Gone, foreign, or too long to be changed at once; what stops all of them stops the first.
                if (done.isEmpty() && !ALONE.contains(refused.code())) {
                    throw refused;
                }
            }
        }
        Map<String, String> more = new LinkedHashMap<>();
        more.put("n", String.valueOf(done.size()));
        more.put("of", String.valueOf(picked.size()));
        if (isTrash && !done.isEmpty()) {
            more.put("undo", String.join(",", done));
        }
        return visit.back(isTrash ? "trashed" : "picked", more);
    }

    private static JsonObject change(PageForm form) {
        return switch (form.text("do")) {
            case "read-picked" -> JsonObject.of("remove_labels", List.of("unread"));
            case "unread-picked" -> JsonObject.of("add_labels", List.of("unread"));
            case "label-picked" -> JsonObject.of("add_labels", List.of(label(form)));
            default -> JsonObject.of("remove_labels", List.of(label(form)));
        };
    }

    private static String label(PageForm form) {
        if (form.text("label").isEmpty()) {
            throw Problem.invalid("label", "Write the label");
        }
        return form.text("label");
    }

    private static String inbox(Visit visit, String thread) {
        return visit.change(LocalCall.get(THREADS, thread).with("limit", "1").with("include_held", "true"))
                .text("inbox_id");
    }

    /** Takes back what was thrown away at last. */
    Response undo(Visit visit) {
        Map<String, List<String>> inboxes = new LinkedHashMap<>();
        List<String> threads = List.of(visit.form().text("undo").split(",", MOST + 1));
        for (String thread : threads.subList(0, Math.min(threads.size(), MOST))) {
            try {
                inboxes.computeIfAbsent(inbox(visit, thread), _ -> new ArrayList<>())
                        .add(thread);
            } catch (Problem gone) {
                if (gone.code() != ErrorCode.NOT_FOUND) {
                    throw gone;
                }
            }
        }
        inboxes.forEach((inbox, some) -> thrown.undo(visit, inbox, some));
        return visit.back("restored", Map.of());
    }
}
