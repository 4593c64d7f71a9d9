package dev.inboxd.server;

import dev.inboxd.config.Secret;
import dev.inboxd.config.Settings;
import dev.inboxd.platform.id.Base62;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The master keys: those of the settings, or one made at the first start and kept in the data folder. */
public final class MasterKeys {
    private static final int CHARACTERS = 43;

    private MasterKeys() {}

    public static List<String> of(Settings settings) throws IOException {
        if (!settings.storage().secretKeys().isEmpty()) {
            return settings.storage().secretKeys().stream().map(Secret::value).toList();
        }
        Path file = settings.dataDirectory().resolve("secret.key");
        if (!Files.exists(file)) {
            Files.createDirectories(settings.dataDirectory());
            Path fresh = Files.createTempFile(
                    settings.dataDirectory(),
                    "secret",
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(fresh, Base62.random(CHARACTERS));
            Files.move(fresh, file);
        }
        return List.of(Files.readString(file).strip());
    }
}
