package dev.inboxd.server;

import dev.inboxd.base.id.Base62;
import dev.inboxd.base.io.FileFailure;
import dev.inboxd.config.Secret;
import dev.inboxd.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The master keys: those of the settings, or one that the first start makes and keeps in the data folder. */
public final class MasterKeys {
    private static final int CHARACTERS = 43;

    private MasterKeys() {}

    /** Where a key is kept that no setting gives. */
    static Path file(Settings settings) {
        return settings.dataDirectory().resolve("secret.key");
    }

    /** The keys that there are, the newest first; none before a first start that has to make one. */
    public static List<String> present(Settings settings) {
        if (!settings.storage().secretKeys().isEmpty()) {
            return settings.storage().secretKeys().stream().map(Secret::value).toList();
        }
        return secret(settings).read().map(List::of).orElse(List.of());
    }

    /**
     * The key in a file that an operator names.
     *
     * @param file null: none is named
     * @return null when none is named
     * @throws InstallationException when it cannot be read
     */
    public static @Nullable String read(@Nullable String file) {
        try {
            return file == null ? null : Files.readString(Path.of(file)).strip();
        } catch (IOException unreadable) {
            throw new InstallationException(
                    "The master key cannot be read from " + file + " (" + FileFailure.words(unreadable) + ").");
        }
    }

    /** Makes a key and keeps it; the caller knows that nothing was sealed with another one. */
    static String make(Settings settings) {
        String key = Base62.random(CHARACTERS);
        keep(settings, key);
        return key;
    }

    /** Keeps a key in the data folder, which has none; on return it survives a power loss. */
    public static void keep(Settings settings, String key) {
        secret(settings).keep(key);
    }

    private static SecretFile secret(Settings settings) {
        return new SecretFile(
                file(settings),
                "The master key",
                "run this as the user of the service, or give the key in INBOXD_SECRET_KEY");
    }
}
