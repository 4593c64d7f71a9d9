package dev.inboxd.cli.mail;

import java.util.Locale;

/**
 * A flag of a command: a parameter of the call, or a member of its body.
 *
 * @param member its name in the description
 * @param place where its value goes
 * @param kind what its value is
 * @param isRepeated whether it can be given several times
 * @param most the largest number; 0 for no limit
 * @param text what it means, in a sentence or two
 */
record MailFlag(String member, Place place, Kind kind, boolean isRepeated, long most, String text) {
    /** Where a value goes. */
    enum Place {
        PATH,
        QUERY,
        HEADER,
        BODY
    }

    /** What a value is. */
    enum Kind {
        TEXT,
        NUMBER,
        BOOLEAN,
        JSON
    }

    /** As it is written: {@code --inbox-id} for {@code inbox_id}, {@code --if-match} for {@code If-Match}. */
    String name() {
        return "--" + member.replace('_', '-').toLowerCase(Locale.ROOT);
    }
}
