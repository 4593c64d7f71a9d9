package dev.inboxd.move;

/** Why a move does not go on, in a sentence for the operator. */
public final class MoveException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MoveException(String message) {
        super(message);
    }
}
