package dev.inboxd.notify.delivery;

/** Mails for tests. */
public final class TestMail {
    private TestMail() {}

    public static String of(String id, String body) {
        return of(id, "", body);
    }

    /** A mail with further header lines, each ending in LF. */
    static String of(String id, String more, String body) {
        return "From: Jo <jo@example.com>\nTo: agent@mail.localhost\nSubject: Hello\nMessage-ID: " + id + "\n" + more
                + "\n" + body;
    }
}
