package dev.inboxd;

/** The command line. */
public final class Main {
    private Main() {}

    /** Starts inboxd with the given arguments. */
    public static void main(String[] arguments) {
        System.out.println("inboxd");
    }
}
