package dev.inboxd.sending;

/** The inbox came to need approval while its message was on the way to its commit. */
final class ApprovalRequiredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ApprovalRequiredException() {
        super("The inbox needs approval by now", null, false, false);
    }
}
