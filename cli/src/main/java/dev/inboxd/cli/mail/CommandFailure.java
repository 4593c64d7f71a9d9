package dev.inboxd.cli.mail;

/** A command that cannot do what it should. */
final class CommandFailure extends RuntimeException {
    /** The command line is wrong. */
    static final int USAGE = 2;
    /** Nothing came in time. */
    static final int NOTHING = 3;
    /** The server refuses the call: 4xx. */
    static final int REFUSED = 4;
    /** The server failed, or cannot be reached. */
    static final int SERVER = 5;

    private static final long serialVersionUID = 1;

    private final int status;

    /**
     * A failure.
     *
     * @param status with which the process ends
     * @param message for whoever gave the command: what is wrong, and what to do
     */
    CommandFailure(int status, String message) {
        super(message);
        this.status = status;
    }

    static CommandFailure usage(String message) {
        return new CommandFailure(USAGE, message);
    }

    int status() {
        return status;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
