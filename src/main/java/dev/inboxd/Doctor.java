package dev.inboxd;

import dev.inboxd.database.embedded.FolderLock;
import java.io.PrintStream;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * {@code inboxd doctor}: says with which settings a start would run, what would keep it from starting or from keeping its
 * word, and what to do about it. It changes nothing, and may run beside the service.
 */
final class Doctor {
    private Doctor() {}

    /** Prints settings and checks; 0 when nothing has failed, 1 otherwise. */
    static int examine(SettingValues values, PrintStream out) {
        for (Setting<?> setting : SettingTable.ALL) {
            String origin = values.isGiven(setting) ? "" : "  (default)";
            out.printf("%-27s %s%s%n", setting.variable(), values.shown(setting), origin);
        }
        out.println();
        Settings settings = SettingsReader.read(values);
        Findings findings = new Findings(out);
        @Nullable String running = FolderLock.holder(settings.dataDirectory());
        new DiskCheck(findings).run(settings);
        new PortCheck(findings, running).run(settings);
        new DatabaseCheck(findings, InstantSource.system()).run(settings);
        new ClockCheck(findings, InstantSource.system()).run(settings.dataDirectory());
        new TlsCheck(findings, InstantSource.system()).run(settings);
        new NameCheck(findings, Chosen.dns(settings)).run(settings);
        return findings.isHealthy() ? 0 : 1;
    }
}
