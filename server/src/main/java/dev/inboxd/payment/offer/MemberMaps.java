package dev.inboxd.payment.offer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Copies of maps that nobody changes, in the order of the file: offers are written to the wire in it. */
final class MemberMaps {
    private MemberMaps() {}

    static Map<String, Object> of(String first, Object value, String second, Object other) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(first, value);
        map.put(second, other);
        return Collections.unmodifiableMap(map);
    }

    static <V> Map<String, V> copy(Map<String, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
