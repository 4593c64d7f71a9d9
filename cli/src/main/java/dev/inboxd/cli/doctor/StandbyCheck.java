package dev.inboxd.cli.doctor;

import dev.inboxd.base.database.Replication;
import dev.inboxd.base.database.ServerInfo;
import dev.inboxd.cli.ServeCommand;
import dev.inboxd.config.ExternalDatabase;
import java.util.ArrayList;
import java.util.List;

/** Checks whether mail that was acknowledged outlives the server of an external database, and a standby is found. */
final class StandbyCheck {
    private static final String HOSTS = "database hosts";
    private static final String STANDBY = "database standby";

    private final DoctorReport findings;
    private final List<String> primaries = new ArrayList<>();
    private int standbys;

    StandbyCheck(DoctorReport findings) {
        this.findings = findings;
    }

    /** Asks each host that the URL names. */
    void run(ExternalDatabase database) {
        List<ExternalDatabase.Host> hosts = database.hosts();
        for (ExternalDatabase.Host host : hosts) {
            try {
                part(host.name(), Replication.of(ServeCommand.location(host.database())), hosts.size() == 1);
            } catch (ServerInfo.UnavailableException away) {
                if (hosts.size() > 1) { // else the check of the database has said it
                    findings.warn(
                            "database host " + host.name(),
                            String.valueOf(away.getMessage()),
                            "Start it, or take it out of INBOXD_DATABASE_URL");
                }
            }
        }
        if (hosts.size() > 1 && !database.wantsPrimary()) {
            findings.warn(
                    HOSTS,
                    "the first that answers is used, even a standby, which stores no mail",
                    "Add targetServerType=primary to INBOXD_DATABASE_URL");
        }
        if (primaries.size() > 1) {
            findings.fail(
                    HOSTS,
                    String.join(" and ", primaries) + " take changes, so the data goes apart",
                    "Stop all but the one that was promoted last, and make them its standbys (pg_rewind)");
        } else if (primaries.isEmpty() && standbys > 0) {
            findings.fail(HOSTS, "none takes changes: all that answer are standbys", "Promote one (pg_ctl promote)");
        }
    }

    private void part(String host, Replication replication, boolean alone) {
        if (replication.isStandby()) {
            standbys++;
            findings.ok("database host " + host, "is a standby");
            return;
        }
        primaries.add(host);
        findings.ok(
                "database host " + host, "takes changes, and has " + replication.connected() + " standbys connected");
        if (alone && replication.connected() > 0) {
            findings.warn(
                    HOSTS,
                    "the URL names one host only, so a standby that is promoted is not found",
                    "Name them all: postgres://" + host + ",STANDBY/…?targetServerType=primary");
        }
        commits(replication);
    }

    /** Whether a commit is on two machines. */
    private void commits(Replication replication) {
        if (replication.synchronousNames().isEmpty()) {
            findings.warn(
                    STANDBY,
                    "commits wait for none, so mail that was acknowledged is lost with the disk of the database",
                    "Set synchronous_standby_names, unless that disk itself is kept twice");
        } else if (replication.synchronous() + replication.unseen() == 0) {
            findings.fail(
                    STANDBY,
                    "commits wait for " + replication.synchronousNames()
                            + ", and no such standby is connected, so nothing is acknowledged",
                    "Start the standby, or take it out of synchronous_standby_names");
        } else if (replication.synchronous() == 0) {
            findings.warn(
                    STANDBY,
                    "commits wait for " + replication.synchronousNames()
                            + ", and the role may not see whether it is connected",
                    "Grant it pg_monitor");
        } else {
            findings.ok(
                    STANDBY,
                    "commits wait for " + replication.synchronousNames() + ", and " + replication.synchronous()
                            + " are connected");
        }
    }
}
