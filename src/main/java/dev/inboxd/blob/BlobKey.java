package dev.inboxd.blob;

import java.util.UUID;

/** placeholder. */
public record BlobKey(UUID organization, String name) {}
