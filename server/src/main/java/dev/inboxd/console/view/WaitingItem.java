package dev.inboxd.console.view;

import java.util.List;

/**
 * A row of what waits for a decision.
 *
 * @param kind {@link #DRAFT} or {@link #MAIL}
 * @param inbox whose it is
 * @param id of the draft or the message
 * @param parties who writes to whom
 * @param subject of the mail; empty for none
 * @param why it waits, in words
 * @param since the time of the API
 */
public record WaitingItem(
        String kind, String inbox, String id, Parties parties, String subject, String why, String since) {
    /** A mail that waits to leave. */
    public static final String DRAFT = "draft";
    /** A mail that is held from the agent. */
    public static final String MAIL = "mail";

    /** Who writes to whom. */
    public record Parties(String from, List<String> to) {
        public Parties {
            to = List.copyOf(to);
        }
    }

    /** What a form names. */
    public record Name(String kind, String inbox, String id) {}

    /** Whether it is a mail that came. */
    public boolean isHeld() {
        return kind.equals(MAIL);
    }
}
