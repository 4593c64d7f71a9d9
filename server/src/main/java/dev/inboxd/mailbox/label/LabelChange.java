package dev.inboxd.mailbox.label;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A change of a message's labels. Where both sides name a label, remove wins (mail.md §10.2).
 *
 * @param add normal labels to put on
 * @param remove normal labels to take off
 */
public record LabelChange(Set<String> add, Set<String> remove) {
    public LabelChange {
        add = copyWithout(add, remove);
        remove = Set.copyOf(remove);
    }

    /** A change by the service itself, which may touch system labels. */
    public static LabelChange adding(String... labels) {
        return new LabelChange(new LinkedHashSet<>(List.of(labels)), Set.of());
    }

    /** The labels after the change: those that stay in their order, then the new ones. */
    public List<String> appliedTo(List<String> labels) {
        List<String> after = new ArrayList<>(labels);
        after.removeAll(remove);
        for (String label : add) {
            if (!after.contains(label)) {
                after.add(label);
            }
        }
        return List.copyOf(after);
    }

    private static Set<String> copyWithout(Set<String> labels, Set<String> without) {
        Set<String> remaining = new LinkedHashSet<>(labels);
        remaining.removeAll(without);
        return Collections.unmodifiableSet(remaining);
    }
}
