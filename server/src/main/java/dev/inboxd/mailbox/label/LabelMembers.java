package dev.inboxd.mailbox.label;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.error.Quotation;
import dev.inboxd.base.json.JsonBody;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Label changes and label lists as clients write them (mail.md §6.6, §10.2). */
public final class LabelMembers {
    private LabelMembers() {}

    /**
     * Reads {@code add_labels} and {@code remove_labels}.
     *
     * @throws Problem {@code validation_error}, also when the change would change nothing
     */
    public static LabelChange read(JsonBody body) {
        LabelChange change = readChange(body);
        body.check();
        if (change.add().isEmpty() && change.remove().isEmpty()) {
            throw Problem.invalid(List.of(new Fault(List.of(), "Give add_labels or remove_labels")));
        }
        return change;
    }

    /** Reads the same members of a body in which they are optional; faults are added to the body. */
    public static LabelChange readChange(JsonBody body) {
        return new LabelChange(
                normal(body, "add_labels", Labels::whyNotAdd), normal(body, "remove_labels", Labels::whyNotRemove));
    }

    /** Reads the labels of something new; faults are added to the body. */
    public static Set<String> list(JsonBody body, String member) {
        return normal(body, member, Labels::whyNotAdd);
    }

    private static Set<String> normal(JsonBody body, String member, Function<String, @Nullable String> whyNot) {
        Set<String> labels = new LinkedHashSet<>();
        List<String> texts = body.strings(member).most(Labels.MOST).list();
        for (int i = 0; i < texts.size(); i++) {
            String label = Labels.normal(texts.get(i));
            String reason = whyNot.apply(label);
            if (reason != null) {
                body.fault(member, i, reason + ": " + Quotation.of(label));
            }
            labels.add(label);
        }
        return labels;
    }
}
