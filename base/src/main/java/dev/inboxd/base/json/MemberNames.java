package dev.inboxd.base.json;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Suggestion;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names that a route reads from a query or an object. A name beside them is ignored, unless it is only another
 * spelling of one of them: then a filter or a member would be lost in silence (mail.md §1.3).
 */
public final class MemberNames {
    private final Set<String> single = new HashSet<>();
    private final Set<String> lists = new HashSet<>();

    /** No names so far. */
    public MemberNames() {}

    /** Adds a name whose value is one. */
    public void single(String name) {
        single.add(name);
    }

    /** Adds a name whose value is a list. */
    public void list(String name) {
        lists.add(name);
    }

    /** Whether the route reads a list of this name. */
    public boolean isList(String name) {
        return lists.contains(name);
    }

    /** Whether the route reads a value or a list of this name. */
    public boolean isRead(String name) {
        return single.contains(name) || lists.contains(name);
    }

    /**
     * Adds a fault for each of these names that is another spelling of one that the route reads.
     *
     * @param path of the object that the names are in
     */
    public void review(Collection<String> memberNames, List<Object> path, Faults faults) {
        Map<String, String> byLetters = new HashMap<>();
        lists.forEach(name -> byLetters.put(Suggestion.letters(name), name));
        lists.forEach(name -> byLetters.putIfAbsent(singular(Suggestion.letters(name)), name));
        single.forEach(name -> byLetters.put(Suggestion.letters(name), name));
        for (String name : memberNames) {
            String right = right(name, byLetters);
            if (right != null && !faults.isFaulty(Fault.join(path, name))) {
                faults.add(new Fault(Fault.join(path, name), "There is no " + name + " here; write " + right)
                        .as(Fault.Code.UNKNOWN_NAME, right));
            }
        }
    }

    /** The name that the route reads and this one means: its camelCase form, or the singular of a list; else null. */
    private @Nullable String right(String name, Map<String, String> byLetters) {
        if (isRead(name)) {
            return null;
        }
        boolean isOtherCase = name.chars().anyMatch(c -> c == '-' || (c >= 'A' && c <= 'Z'));
        String right = byLetters.get(isOtherCase ? Suggestion.letters(name) : name.replace("_", ""));
        boolean isSingular = right != null
                && lists.contains(right)
                && !right.equals(name)
                && singular(right).equals(name);
        return isOtherCase || isSingular ? right : null;
    }

    private static String singular(String name) {
        int ending = name.endsWith("sses") ? 2 : name.endsWith("s") ? 1 : 0;
        return name.substring(0, name.length() - ending);
    }
}
