package dev.inboxd.account.session;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.Problem;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.tenant.apikey.Revocations;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Where the people of an organization are signed in. */
public final class OpenDevices {
    private final Database database;

    /** The devices in a database. */
    public OpenDevices(Database database) {
        this.database = database;
    }

    /** Those of everybody of the caller's organization, the last used first; at most 200. */
    public List<OpenDevice> all(Caller caller) {
        return database.read(tx -> SessionSql.devices(tx, caller.organization()));
    }

    /**
     * Signs somebody of the caller's organization out of a device.
     *
     * @param human whose session it must be
     * @throws Problem {@code not_found} for any other
     */
    public void end(Caller caller, String human, UUID session, AuditSource source) {
        database.run(caller.organization(), tx -> {
            AuditLog.add(
                    tx,
                    caller.organization(),
                    AuditActor.of(caller, source),
                    new AuditChange(AuditAction.SESSION_DELETED, session.toString(), Map.of("human_email", human)));
            if (SessionSql.delete(tx, caller.organization(), human, session) == 0) {
                throw Problem.notFound("Session");
            }
            Revocations.publish(tx, caller.organization());
        });
    }
}
