package dev.inboxd.chaos;

import dev.inboxd.testing.SmtpProbe;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Faults put into what a run has left: a mail that is there twice, one without its event, one with a changed bit. The
 * harness looks at the whole service as after any kill, and must tell each of them; else its silence proves nothing.
 */
final class PlantedFaults {
    private static final String NO_EVENT = "a received message without its one event: ";
    private static final String DELETE_EVENT = """
            delete from event e using message m where m.name = ? and e.organization_id = m.organization_id
                and e.message_id = m.message_id and e.type like 'message.received%'""";
    private static final String CHANGE_BIT = """
            update message_content c
                set raw = set_byte(c.raw, octet_length(c.raw) - 5, get_byte(c.raw, octet_length(c.raw) - 5) # 1)
                from message m where m.name = ? and c.organization_id = m.organization_id
                and c.message_id = m.message_id""";

    private final Service.Place place;
    private final Ledger ledger;
    private final Api api;
    private final String inbox;
    private final List<String> untold = new ArrayList<>();

    private PlantedFaults(Service.Place place, Ledger ledger, String key) {
        this.place = place;
        this.ledger = ledger;
        this.api = new Api(place, key);
        this.inbox = new Load(place, ledger, key).open("planted");
    }

    /** Plants one fault after another; returns what the harness did not tell, or told before there was anything. */
    static List<String> untold(Service.Place place, Ledger ledger, String key) {
        PlantedFaults planted = new PlantedFaults(place, ledger, key);
        List<Ledger.Mail> mails = List.of(planted.delivered(), planted.delivered(), planted.delivered());
        // with a field more, so that it is no delivery that is repeated
        planted.plant(
                "a doubled mail",
                () -> planted.send(mails.get(0), "X-Again: yes\n" + mails.get(0).text()),
                () -> planted.verdict().doubled().contains(mails.get(0).toString())
                        && planted.isWrong(mails.get(0), " is listed 2 times"));
        planted.plant(
                "a missing event",
                () -> planted.change(DELETE_EVENT, mails.get(1)),
                () -> planted.verdict()
                        .halfVisible()
                        .contains(NO_EVENT + mails.get(1).name()));
        planted.plant(
                "a changed bit",
                () -> planted.change(CHANGE_BIT, mails.get(2)),
                () -> planted.isWrong(mails.get(2), " is not what was sent"));
        return planted.untold;
    }

    private void plant(String fault, Runnable deed, BooleanSupplier told) {
        if (told.getAsBoolean()) {
            untold.add(fault + " was told before there was one");
        }
        deed.run();
        if (!told.getAsBoolean()) {
            untold.add(fault + " was not told");
        }
    }

    /** One more mail, which lies in its row. */
    private Ledger.Mail delivered() {
        Ledger.Mail mail = new Ledger.Mail(ledger.next(), List.of(inbox));
        if (mail.isLarge()) {
            return delivered();
        }
        ledger.intend(mail);
        send(mail, mail.text());
        ledger.acknowledge(mail);
        return mail;
    }

    private Verdict verdict() {
        return Verdict.of(ledger.acknowledged(), ledger.intended(), StoredState.of(place.data()));
    }

    private boolean isWrong(Ledger.Mail mail, String how) {
        return api.wrong(List.of(mail)).stream().anyMatch(one -> one.contains(how));
    }

    private void send(Ledger.Mail mail, String text) {
        try (SmtpProbe session = new SmtpProbe(place.smtpPort())) {
            String reply = session.send("load@elsewhere.test", mail.recipients(), text);
            if (!reply.startsWith("250")) {
                throw new IllegalStateException(reply);
            }
        }
    }

    private void change(String sql, Ledger.Mail mail) {
        try (Connection connection = StoredState.connect(place.data());
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, mail.name());
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("Not one row is changed by " + sql);
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
