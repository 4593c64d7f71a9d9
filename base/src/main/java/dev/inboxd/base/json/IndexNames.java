package dev.inboxd.base.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Names of members that JavaScript takes for an array index. It moves them to the front of an object, in numeric order
 * (ECMA-262, OrdinaryOwnPropertyKeys), so they are written there: then what it writes again is what it has read.
 */
final class IndexNames {
    private static final long MOST = (1L << 32) - 2;
    private static final int LONGEST = 10;

    private IndexNames() {}

    /** The same members with such names first; the same map when it has none. */
    static Map<?, ?> first(Map<?, ?> map) {
        for (Object name : map.keySet()) {
            if (index((String) name) >= 0) {
                return ordered(map);
            }
        }
        return map;
    }

    private static Map<?, ?> ordered(Map<?, ?> map) {
        TreeMap<Long, @Nullable Object> indexed = new TreeMap<>();
        Map<String, @Nullable Object> others = new LinkedHashMap<>();
        map.forEach((name, value) -> {
            long index = index((String) name);
            if (index >= 0) {
                indexed.put(index, value);
            } else {
                others.put((String) name, value);
            }
        });
        Map<String, @Nullable Object> ordered = new LinkedHashMap<>();
        indexed.forEach((index, value) -> ordered.put(Long.toString(index), value));
        ordered.putAll(others);
        return ordered;
    }

    private static long index(String name) {
        if (name.isEmpty() || name.length() > LONGEST || (name.charAt(0) == '0' && name.length() > 1)) {
            return -1;
        }
        long index = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            index = index * 10 + c - '0';
        }
        return index <= MOST ? index : -1;
    }
}
