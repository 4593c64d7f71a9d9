package dev.inboxd.app;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What the settings say of apps.
 *
 * @param file the file that registers apps; empty when there is none
 * @param adminToken opens the operator's interface on the admin port; empty when it does not exist
 */
public record AppConfig(Optional<Path> file, Optional<String> adminToken) {
    @Override
    public String toString() {
        return "AppConfig[" + file + "]";
    }
}
