package dev.inboxd.mcp;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A revision of the protocol, the newest first. */
public enum ProtocolVersion {
    /** Every request stands alone and says its version, its client and what that can do. */
    V2026_07_28("2026-07-28"),
    V2025_11_25("2025-11-25"),
    V2025_06_18("2025-06-18"),
    V2025_03_26("2025-03-26");

    /** What a client speaks that names no version: the header came with the revision behind this one. */
    static final ProtocolVersion UNNAMED = V2025_03_26;
    /** The newest that begins with a handshake. */
    public static final ProtocolVersion NEWEST_HANDSHAKE = V2025_11_25;

    private final String text;

    ProtocolVersion(String text) {
        this.text = text;
    }

    /** The version of that name, or null. */
    public static @Nullable ProtocolVersion of(String text) {
        return Stream.of(values())
                .filter(version -> version.text.equals(text))
                .findFirst()
                .orElse(null);
    }

    /** Whether a connection begins with {@code initialize}. */
    public boolean hasHandshake() {
        return this != V2026_07_28;
    }

    /** The names of all versions. */
    public static List<String> names() {
        return Stream.of(values()).map(ProtocolVersion::text).toList();
    }

    /** Its name. */
    public String text() {
        return text;
    }
}
