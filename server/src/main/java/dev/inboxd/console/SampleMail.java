package dev.inboxd.console;

import dev.inboxd.base.database.Database;
import dev.inboxd.queue.SystemMail;
import java.util.UUID;
import java.util.function.IntSupplier;

/** The mail by which a newcomer sees that mail arrives. It takes the way of all mail: queue, delivery, inbox. */
final class SampleMail {
    private final Database database;
    private final SystemMail mail;
    private final IntSupplier smtpPort;

    SampleMail(Database database, SystemMail mail, IntSupplier smtpPort) {
        this.database = database;
        this.mail = mail;
        this.smtpPort = smtpPort;
    }

    /** Where mail from other servers comes in. */
    String address() {
        return "127.0.0.1:" + smtpPort.getAsInt();
    }

    /** Queues a test mail for that inbox. */
    void send(UUID organization, String inbox) {
        SystemMail.SignedMail test = mail.seal(new SystemMail.SystemMessage(inbox, "It works", """
                This is a test message from your own server. It went through the queue and was delivered to this inbox.

                Next steps: read it with the API, reply to it, or send a message from your own mail program.
                """));
        database.run(organization, tx -> {
            mail.queue(tx, organization, test);
        });
    }
}
