package dev.inboxd.move;

import java.nio.file.Path;

/** A process that upgrades a data folder and can be killed: the first argument. */
public final class UpgradeProcess {
    private UpgradeProcess() {}

    public static void main(String... arguments) {
        VersionCopy.runWhenDue(Path.of(arguments[0]), System.out::println);
        System.out.println("over");
    }
}
