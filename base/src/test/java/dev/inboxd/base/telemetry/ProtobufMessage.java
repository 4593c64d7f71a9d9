package dev.inboxd.base.telemetry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A message in the wire form of protobuf, by the numbers of its fields; wrong octets throw. */
final class ProtobufMessage {
    private final Map<Integer, List<Object>> fields = new TreeMap<>();

    private ProtobufMessage() {}

    static ProtobufMessage read(byte[] octets) {
        ProtobufMessage message = new ProtobufMessage();
        ByteBuffer in = ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long key = varint(in);
            Object value = switch ((int) (key & 7)) {
                case 0 -> varint(in);
                case 1 -> in.getLong();
                case 2 -> bytes(in);
                case 5 -> (long) in.getInt();
                default -> throw new IllegalArgumentException("wire type of " + key);
            };
            message.fields
                    .computeIfAbsent((int) (key >>> 3), _ -> new ArrayList<>())
                    .add(value);
        }
        return message;
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] octets = new byte[Math.toIntExact(varint(in))];
        in.get(octets);
        return octets;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte octet = in.get();
            value |= (long) (octet & 0x7F) << shift;
            if (octet >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number that does not end");
    }

    private List<Object> all(int field) {
        return fields.getOrDefault(field, List.of());
    }

    boolean has(int field) {
        return fields.containsKey(field);
    }

    /** The messages of a repeated field. */
    List<ProtobufMessage> messages(int field) {
        return all(field).stream().map(value -> read((byte[]) value)).toList();
    }

    ProtobufMessage message(int field) {
        return messages(field).getFirst();
    }

    String text(int field) {
        return has(field) ? new String((byte[]) all(field).getFirst(), StandardCharsets.UTF_8) : "";
    }

    String hex(int field) {
        return HexFormat.of().formatHex((byte[]) all(field).getFirst());
    }

    long number(int field) {
        return has(field) ? (long) all(field).getFirst() : 0;
    }

    double real(int field) {
        return Double.longBitsToDouble(number(field));
    }

    /** The packed numbers of 64 bits of a field. */
    List<Long> packed(int field) {
        ByteBuffer in = ByteBuffer.wrap(has(field) ? (byte[]) all(field).getFirst() : new byte[0])
                .order(ByteOrder.LITTLE_ENDIAN);
        List<Long> numbers = new ArrayList<>();
        while (in.hasRemaining()) {
            numbers.add(in.getLong());
        }
        return numbers;
    }

    /** The attributes in a field, as opentelemetry's common.proto has them: texts as they are, numbers in digits. */
    Map<String, String> attributes(int field) {
        Map<String, String> attributes = new TreeMap<>();
        messages(field).forEach(pair -> {
            ProtobufMessage value = pair.message(2);
            attributes.put(pair.text(1), value.has(1) ? value.text(1) : String.valueOf(value.number(3)));
        });
        return attributes;
    }
}
