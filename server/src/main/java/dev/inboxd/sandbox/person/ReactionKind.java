package dev.inboxd.sandbox.person;

import java.util.Locale;

/** What somebody does with a mail that was taken. */
enum ReactionKind {
    REPLY,
    OUT_OF_OFFICE,
    COMPLAIN,
    BOUNCE,
    OPEN,
    CLICK,
    UNSUBSCRIBE,
    ACCEPT,
    TENTATIVE,
    DECLINE;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
