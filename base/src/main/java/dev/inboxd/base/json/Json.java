package dev.inboxd.base.json;

import dev.inboxd.base.error.Problem;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.ByteArrayBuilder;
import tools.jackson.core.util.JsonRecyclerPools;

/** JSON (RFC 8259) in both directions over plain Java values, without reflection. */
public final class Json {
    /** Maximum number of levels of nesting in input; deeper input is refused (promises.md A38). */
    public static final int DEPTH = 64;

    private static final int LONG = 1_000;

    // A bounded pool shares the buffers: the default keeps one set per thread, and threads here live for one request.
    static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.newBoundedPool(64))
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE) // as JSON.stringify writes a control character
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH)
                    .maxTokenCount(200_000)
                    .build())
            .build();

    /** For JSON that this program stored: the limits of requests do not apply. */
    static final JsonFactory STORED = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.newBoundedPool(64))
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private Json() {}

    /**
     * Writes a value as UTF-8.
     *
     * @param value a {@link JsonObject}, Map, Iterable, String, Number, Boolean, Instant, UUID, {@link RawJson} or
     *     null; members with the value null are left out
     * @throws IllegalArgumentException for any other class, and for a number that is not finite
     */
    public static byte[] write(@Nullable Object value) {
        ByteArrayBuilder bytes = new ByteArrayBuilder(1024); // in blocks: one growing array is copied with each step
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            write(json, value);
        }
        return bytes.toByteArray();
    }

    /** Writes a value as text; see {@link #write(Object)}. */
    public static String text(@Nullable Object value) {
        return new String(write(value), StandardCharsets.UTF_8);
    }

    /**
     * Parses one JSON text strictly: UTF-8 without a byte order mark, at most {@value #DEPTH} levels, no member twice,
     * no number beyond a long or a double, no string with U+0000, U+FFFE, U+FFFF or half a surrogate pair.
     *
     * @return Map (in order), List, String, Long, Double, Boolean or null
     * @throws Problem {@code validation_error} with the path of each fault; the path is empty for malformed JSON
     */
    public static @Nullable Object parse(byte[] bytes) {
        return JsonReader.read(bytes);
    }

    /**
     * Parses JSON that this program wrote and stored. Its faults are not a client's, so no rule for requests applies.
     * A whole number beyond a long becomes a double.
     *
     * @return as {@link #parse}
     * @throws IllegalStateException when it is not JSON
     */
    public static @Nullable Object stored(String text) {
        return JsonReader.stored(text);
    }

    private static void write(JsonGenerator json, @Nullable Object value) {
        switch (value) {
            case null -> json.writeNull();
            case String text when text.length() < LONG -> json.writeString(text);
            case String text -> writeLong(json, text);
            case JsonObject object -> {
                json.writeStartObject();
                for (int i = 0; i < object.size(); i++) {
                    json.writeName(object.name(i));
                    write(json, object.value(i));
                }
                json.writeEndObject();
            }
            case Map<?, ?> map -> {
                json.writeStartObject();
                IndexNames.first(map).forEach((name, member) -> {
                    if (member != null) {
                        json.writeName((String) name);
                        write(json, member);
                    }
                });
                json.writeEndObject();
            }
            case Iterable<?> list -> {
                json.writeStartArray();
                for (Object item : list) {
                    write(json, item);
                }
                json.writeEndArray();
            }
            case Boolean truth -> json.writeBoolean(truth);
            case Number number -> write(json, number);
            case Instant instant -> json.writeString(Timestamps.format(instant));
            case UUID id -> json.writeString(id.toString());
            case RawJson raw -> json.writeRawValue(raw.text());
            case ExactJson exact -> ExactJson.write(json, exact.value());
            default -> throw new IllegalArgumentException("no JSON form for " + value.getClass());
        }
    }

    /** Escaping octets is faster than escaping characters. */
    private static void writeLong(JsonGenerator json, String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        json.writeUTF8String(octets, 0, octets.length);
    }

    private static void write(JsonGenerator json, Number number) {
        switch (number) {
            case Integer small -> json.writeNumber(small);
            case Long large -> json.writeNumber(large);
            case BigDecimal exact -> json.writeNumber(exact);
            case Double real when Double.isFinite(real) -> json.writeNumber(real);
            default -> throw new IllegalArgumentException("no JSON form for " + number + " of " + number.getClass());
        }
    }
}
