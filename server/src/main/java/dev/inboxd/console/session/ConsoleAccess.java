package dev.inboxd.console.session;

/** Who sees the console. */
public enum ConsoleAccess {
    /** The person who started the server, on the machine of the server, by a token that the server printed. */
    OPEN,
    /** Humans behind an organization, after a code by mail. */
    SIGN_IN,
    /** Nobody: there is no console. */
    OFF
}
