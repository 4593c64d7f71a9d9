package dev.inboxd.console;

/** Who sees the console. */
public enum ConsoleAccess {
    /** Whoever is on the machine of the server, without a sign-in. */
    OPEN,
    /** Humans behind an organization, after a code by mail. */
    SIGN_IN,
    /** Nobody: there is no console. */
    OFF
}
