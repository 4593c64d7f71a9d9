package dev.inboxd.console.mail;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What somebody picked in a list of conversations. Each of them is changed by itself and by the call that changes it
 * alone, so what the person may not see or change stays as it is; foreign ones and those that are gone look the same.
 */
final class PickedThreads {
    private static final int MOST = 100;
    private static final String THREADS = "threads";
    private static final Set<String> ACTS =
            Set.of("read-picked", "unread-picked", "label-picked", "unlabel-picked", "trash-picked");

    private static final Logger LOG = LoggerFactory.getLogger(PickedThreads.class);

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

    /** Changes it, and leads back to the list as it was. What stops it behind the first leaves that one changed. */
    Response act(Visit visit) {
        PageForm form = visit.form();
        List<String> picked = picked(form);
        boolean isTrash = form.text("do").equals("trash-picked");
        JsonObject change = isTrash ? new JsonObject() : change(form);
        Set<String> changed = new LinkedHashSet<>();
        Map<String, String> more = new LinkedHashMap<>();
        for (String thread : picked) {
            try {
                if (isTrash) {
                    thrown.threads(visit, inbox(visit, thread), List.of(thread), changed::add);
                } else {
                    visit.change(LocalCall.patch(change, THREADS, thread));
                    changed.add(thread);
                }
            } catch (RuntimeException refused) {
                if (!isAlone(refused)) {
                    stop(refused, changed);
                    more.put("stopped", "yes");
                    break;
                }
            }
        }
        more.put("n", String.valueOf(changed.size()));
        more.put("of", String.valueOf(picked.size()));
        if (isTrash && !changed.isEmpty()) {
            more.put("undo", String.join(",", changed));
        }
        return visit.back(isTrash ? changed.isEmpty() ? "kept" : "trashed" : "picked", more);
    }

    private static List<String> picked(PageForm form) {
        List<String> picked = form.all("pick").stream().distinct().toList();
        if (picked.isEmpty()) {
            throw Problem.invalid("pick", "Select a conversation first");
        }
        if (picked.size() > MOST) {
            throw Problem.invalid("pick", "Select at most " + MOST + " conversations");
        }
        return picked;
    }

    /** Whether it concerns one conversation: it is gone, foreign, or too long to be changed at once. */
    private static boolean isAlone(RuntimeException refused) {
        return refused instanceof Problem problem && ALONE.contains(problem.code());
    }

    /** Nothing was changed: then the failure is the answer. Else the page says how far it came. */
    private static void stop(RuntimeException failure, Collection<String> changed) {
        if (changed.isEmpty()) {
            throw failure;
        }
        LOG.warn("picked conversations: stopped after {}: {}", changed.size(), failure.toString());
    }

    private static JsonObject change(PageForm form) {
        return switch (form.text("do")) {
            case "read-picked" -> JsonObject.of("remove_labels", List.of("unread"));
            case "unread-picked" -> JsonObject.of("add_labels", List.of("unread"));
            case "label-picked" -> JsonObject.of("add_labels", ThrownMail.allowed(List.of(label(form))));
            default -> JsonObject.of("remove_labels", List.of(label(form)));
        };
    }

    private static String label(PageForm form) {
        if (form.text("label").isEmpty()) {
            throw Problem.invalid("label", "Enter a label");
        }
        return form.text("label");
    }

    private static String inbox(Visit visit, String thread) {
        return visit.change(LocalCall.get(THREADS, thread).with("limit", "1").with("include_held", "true"))
                .text("inbox_id");
    }

    /** Takes back what was thrown away at last; of what it does not come to, the undo stays. */
    Response undo(Visit visit) {
        List<String> all = List.of(visit.form().text("undo").split(",", MOST + 1));
        List<String> threads = all.subList(0, Math.min(all.size(), MOST));
        Map<String, String> more = new LinkedHashMap<>();
        List<String> back = new ArrayList<>();
        for (String thread : threads) {
            try {
                thrown.undo(visit, inbox(visit, thread), List.of(thread));
                back.add(thread);
            } catch (RuntimeException refused) {
                if (!isAlone(refused)) {
                    stop(refused, back);
                    more.put("stopped", "yes");
                    more.put("undo", String.join(",", threads.subList(threads.indexOf(thread), threads.size())));
                    break;
                }
            }
        }
        more.put("n", String.valueOf(back.size()));
        more.put("of", String.valueOf(threads.size()));
        return visit.back("restored", more);
    }
}
