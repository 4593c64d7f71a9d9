package dev.inboxd.app.registry;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An app as its operator wants it to be.
 *
 * @param app its own fields
 * @param secrets the digests of its secrets in hexadecimal; null when none is named
 * @param limits the limits of single organizations, an empty one for any number; null when none is named
 */
record AppRegistration(
        App app, @Nullable List<String> secrets, @Nullable Map<UUID, Optional<Integer>> limits) {}
