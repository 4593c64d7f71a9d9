package dev.inboxd.base.database.value;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Java values as PostgreSQL parameters. */
public final class ParameterValues {
    private ParameterValues() {}

    /** Sets the named values from the given position on and returns the position after the last. */
    public static int set(
            PreparedStatement prepared, List<String> names, Map<String, @Nullable Object> values, int from)
            throws SQLException {
        int position = from;
        for (String name : names) {
            Object value = values.get(name);
            if (value == null && !values.containsKey(name)) {
                throw new IllegalStateException("No value was given for :" + name);
            }
            set(prepared, position++, value);
        }
        return position;
    }

    private static void set(PreparedStatement prepared, int position, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> prepared.setNull(position, Types.NULL);
            case String text -> prepared.setString(position, text);
            case Integer number -> prepared.setInt(position, number);
            case Long number -> prepared.setLong(position, number);
            case Double number -> prepared.setDouble(position, number);
            case Boolean flag -> prepared.setBoolean(position, flag);
            case byte[] bytes -> prepared.setBytes(position, bytes);
            case Instant time -> prepared.setObject(position, time.atOffset(ZoneOffset.UTC));
            case String[] texts -> array(prepared, position, "text", texts);
            case UUID[] ids -> prepared.setArray(position, BinaryArray.of(prepared.getConnection(), ids));
            case Long[] numbers -> array(prepared, position, "int8", numbers);
            case Integer[] numbers -> array(prepared, position, "int4", numbers);
            case Boolean[] flags -> array(prepared, position, "bool", flags);
            case byte[][] many -> array(prepared, position, "bytea", many);
            case Instant[] times -> prepared.setArray(position, BinaryArray.of(prepared.getConnection(), times));
            case Collection<?> texts -> array(prepared, position, "text", texts.toArray(new String[0]));
            default -> prepared.setObject(position, value);
        }
    }

    private static void array(PreparedStatement prepared, int position, String type, @Nullable Object[] elements)
            throws SQLException {
        prepared.setArray(position, prepared.getConnection().createArrayOf(type, elements));
    }
}
