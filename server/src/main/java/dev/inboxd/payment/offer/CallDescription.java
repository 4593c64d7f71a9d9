package dev.inboxd.payment.offer;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Describes the API at a host where calls are paid for (payments.md §10). */
public interface CallDescription {
    /**
     * A host.
     *
     * @param base its base address
     * @param hasProblems whether what a call costs is told as application/problem+json
     */
    record Place(String base, boolean hasProblems) {}

    /**
     * The description of one host, as JSON.
     *
     * @param routes that there are, each as {@code POST /v0/inboxes}
     * @param offers what each of them wants; nothing for one that is public
     */
    byte[] of(Place place, Set<String> routes, Function<String, List<Map<String, Object>>> offers);

    /** What each route does, in a few words, by {@code POST /v0/inboxes}. */
    Map<String, String> words();
}
