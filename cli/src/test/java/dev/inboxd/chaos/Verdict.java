package dev.inboxd.chaos;

import dev.inboxd.chaos.Ledger.Deed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The ledger held against the truth.
 *
 * @param acknowledged how many deeds were promised
 * @param lost what was promised and is not there
 * @param doubled what is there more than once, promised or not
 * @param halfVisible what is there without what belongs to it
 */
record Verdict(int acknowledged, List<String> lost, List<String> doubled, List<String> halfVisible) {
    Verdict {
        lost = List.copyOf(lost);
        doubled = List.copyOf(doubled);
        halfVisible = List.copyOf(halfVisible);
    }

    /**
     * Compares.
     *
     * @param acknowledged taken from the ledger before the truth was read
     * @param intended taken from the ledger after the truth was read
     */
    static Verdict of(Collection<Deed> acknowledged, Collection<Deed> intended, StoredState truth) {
        List<String> lost = new ArrayList<>();
        List<String> doubled = new ArrayList<>();
        for (Deed deed : acknowledged) {
            switch (deed) {
                case Ledger.Mail mail -> {
                    for (String recipient : mail.recipients()) {
                        if (count(mail, recipient, truth) == 0) {
                            lost.add(mail + " in " + recipient);
                        }
                    }
                }
                case Ledger.Inbox inbox -> {
                    if (!truth.inboxes().containsKey(inbox.clientId())) {
                        lost.add(inbox.toString());
                    }
                }
                case Ledger.Send send -> {
                    if (!truth.sent().containsKey(send.subject())) {
                        lost.add(send.toString());
                    }
                }
                case Ledger.Relabel relabel -> {
                    if (!truth.labels().containsKey(relabel.label())) {
                        lost.add(relabel.toString());
                    }
                }
                case Ledger.Rename rename -> {
                    if (Integer.parseInt(truth.names().getOrDefault(rename.inbox(), "0")) < rename.version()) {
                        lost.add(rename.toString());
                    }
                }
            }
        }
        for (Deed deed : intended) {
            int most = switch (deed) {
                case Ledger.Mail mail ->
                    mail.recipients().stream()
                            .mapToInt(to -> count(mail, to, truth))
                            .max()
                            .orElse(0);
                case Ledger.Inbox inbox -> truth.inboxes().getOrDefault(inbox.clientId(), 0);
                case Ledger.Send send -> Math.max(truth.sent().getOrDefault(send.subject(), 0), copies(send, truth));
                case Ledger.Relabel relabel -> truth.labels().getOrDefault(relabel.label(), 0);
                case Ledger.Rename _ -> 1;
            };
            if (most > 1) {
                doubled.add(deed.toString());
            }
        }
        return new Verdict(acknowledged.size(), lost, doubled, truth.halfVisible());
    }

    boolean isClean() {
        return lost.isEmpty() && doubled.isEmpty() && halfVisible.isEmpty();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder()
                .append(acknowledged)
                .append(" acknowledged, ")
                .append(lost.size())
                .append(" lost, ")
                .append(doubled.size())
                .append(" doubled, ")
                .append(halfVisible.size())
                .append(" half visible");
        List.of(lost, doubled, halfVisible)
                .forEach(all -> all.stream()
                        .limit(5)
                        .forEach(one -> text.append("\n    ").append(one)));
        return text.toString();
    }

    /** How many copies of a sent mail its local recipient has; one, when the queue has come to it. */
    static int copies(Ledger.Send send, StoredState truth) {
        return truth.mails().getOrDefault(send.local() + " " + send.subject(), 0);
    }

    private static int count(Ledger.Mail mail, String recipient, StoredState truth) {
        return truth.mails().getOrDefault(recipient + " " + mail.subject(), 0);
    }
}
