package dev.inboxd.payment.offer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Copies of maps that nobody changes, in the order of the file: offers are written to the wire in it. */
final class MemberMaps {
    private MemberMaps() {}

    static Map<String, Object> of(String first, Object firstValue, String second, Object secondValue) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(first, firstValue);
        map.put(second, secondValue);
        return Collections.unmodifiableMap(map);
    }

    static <V> Map<String, V> copy(Map<String, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
