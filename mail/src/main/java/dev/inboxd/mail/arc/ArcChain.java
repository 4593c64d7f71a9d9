package dev.inboxd.mail.arc;

import dev.inboxd.mail.dkim.Canonicalization;
import dev.inboxd.mail.dkim.HeaderFields;
import dev.inboxd.mail.dkim.MalformedSignatureException;
import dev.inboxd.mail.dkim.SignatureTags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The ARC sets of a message in order. The chain is complete: one of each field for each instance from 1 on (§5.2). */
final class ArcChain {
    static final int MOST_INSTANCES = 50;
    static final String RESULTS = "arc-authentication-results";
    static final String MESSAGE = "arc-message-signature";
    static final String SEAL = "arc-seal";

    private ArcChain() {}

    /** Whether the message has any ARC field. */
    static boolean isIn(HeaderFields header) {
        return !header.all(RESULTS).isEmpty()
                || !header.all(MESSAGE).isEmpty()
                || !header.all(SEAL).isEmpty();
    }

    /** The sets from the first one on; null when one is incomplete, repeated or missing. */
    static @Nullable List<ArcSet> of(HeaderFields header) {
        Map<Integer, HeaderFields.Field> results = byInstance(header.all(RESULTS), ArcChain::resultsInstance);
        Map<Integer, HeaderFields.Field> messages = byInstance(header.all(MESSAGE), ArcChain::tagsInstance);
        Map<Integer, HeaderFields.Field> seals = byInstance(header.all(SEAL), ArcChain::tagsInstance);
        if (results == null || messages == null || seals == null) {
            return null;
        }
        int most = Math.max(results.size(), Math.max(messages.size(), seals.size()));
        List<ArcSet> sets = new ArrayList<>();
        for (int i = 1; i <= most; i++) {
            HeaderFields.Field result = results.get(i);
            HeaderFields.Field message = messages.get(i);
            HeaderFields.Field seal = seals.get(i);
            if (result == null || message == null || seal == null) {
                return null;
            }
            sets.add(new ArcSet(i, result, message, seal));
        }
        return sets;
    }

    private static @Nullable Map<Integer, HeaderFields.Field> byInstance(
            List<HeaderFields.Field> fields, ToIntFunction<HeaderFields.Field> instance) {
        Map<Integer, HeaderFields.Field> map = new HashMap<>();
        if (fields.size() > MOST_INSTANCES) {
            return null;
        }
        for (HeaderFields.Field field : fields) {
            int number = instance.applyAsInt(field);
            if (number < 1 || number > MOST_INSTANCES || map.put(number, field) != null) {
                return null;
            }
        }
        return map;
    }

    private static int tagsInstance(HeaderFields.Field field) {
        try {
            Long number = SignatureTags.of(field, Canonicalization.RELAXED).number("i");
            return number == null || number > MOST_INSTANCES ? 0 : number.intValue();
        } catch (MalformedSignatureException malformed) {
            return 0;
        }
    }

    /** The instance of an ARC-Authentication-Results field: {@code i=1;} comes before everything else (§4.1.1). */
    private static int resultsInstance(HeaderFields.Field field) {
        String value = field.value();
        int semicolon = value.indexOf(';');
        int equals = value.indexOf('=');
        if (semicolon < 0
                || equals < 0
                || equals > semicolon
                || !value.substring(0, equals).strip().equals("i")) {
            return 0;
        }
        String digits = value.substring(equals + 1, semicolon).strip();
        boolean number =
                !digits.isEmpty() && digits.length() <= 2 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Integer.parseInt(digits) : 0;
    }
}
